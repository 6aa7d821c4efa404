/** The hosted app: brings the element that keeps the page for later visits without a network. */
export const keeper: (() => Promise<unknown>) | null = () => import('../../components/update/update');
