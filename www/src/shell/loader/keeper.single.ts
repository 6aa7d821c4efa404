/** One file for `file://` is kept by whoever has it. */
export const keeper: (() => Promise<unknown>) | null = null;
