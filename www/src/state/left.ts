/** How long what goes on may still take, by how long it took so far: `12 s left`; empty before that is known. */
export function timeLeft(began: number, done: number, total: number): string {
  const passed = (performance.now() - began) / 1000;
  if (done === 0 || done >= total || passed < 2) return '';
  const left = (passed / done) * (total - done);
  return left < 90 ? `${Math.ceil(left)} s left` : `${Math.ceil(left / 60)} min left`;
}
