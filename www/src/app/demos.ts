/** The demo suites: one for each benchmark, drawn by our own code, each with an address of its own. */
import { page } from '../engine/loader/page';

/** A demo suite; its id is its folder below `demo/` and its name in addresses. */
export interface Demo {
  id: string;
  title: string;
}

/** All that there are. */
export const SUITES: readonly Demo[] = [
  { id: 'weave', title: 'WEAVEBench' },
  { id: 'multibanana', title: 'MultiBanana' },
  { id: 'micon', title: 'MICON-Bench' },
  { id: 'vibe', title: 'VIBE' },
  { id: 'multiref', title: 'MultiRef-Bench' },
];

/** Those that this build brings along. */
export const DEMOS: readonly Demo[] = page.demos.flatMap((demo) => SUITES.filter(({ id }) => id === demo));

/** The one that the page starts with; addresses leave it out. */
export const FIRST_DEMO: string = page.demos[0] ?? '';

/** The demo suite of this id, or the first one. */
export function demoOf(id: string | null): string {
  return DEMOS.find((demo) => demo.id === id)?.id ?? FIRST_DEMO;
}
