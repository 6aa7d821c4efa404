/** The demo suites: one for each benchmark, drawn by our own code, each with an address of its own. */

/** A demo suite; its id is its folder below `demo/` and its name in addresses. */
export interface Demo {
  id: string;
  title: string;
}

export const DEMOS = [
  { id: 'weave', title: 'WEAVEBench' },
  { id: 'multibanana', title: 'MultiBanana' },
  { id: 'micon', title: 'MICON-Bench' },
  { id: 'vibe', title: 'VIBE' },
  { id: 'multiref', title: 'MultiRef-Bench' },
] as const satisfies readonly Demo[];

/** The one that the page starts with; addresses leave it out. */
export const FIRST_DEMO: string = DEMOS[0].id;

/** The demo suite of this id, or the first one. */
export function demoOf(id: string | null): string {
  return DEMOS.find((demo) => demo.id === id)?.id ?? FIRST_DEMO;
}
