/** The demo suites: one for each benchmark, drawn by our own code, each with an address of its own. */
import { page } from '../engine/loader/page';
import type { Ability } from '../engine/types/Ability';
import type { DemoSuite } from '../engine/types/DemoSuite';
import { SUITES } from '../engine/types/suites';

/** Those that this build brings along. */
export const DEMOS: readonly DemoSuite[] = page.demos.flatMap((demo) => SUITES.filter(({ id }) => id === demo));

/** The one that the page starts with; addresses leave it out. */
export const FIRST_DEMO: string = page.demos[0] ?? '';

/** The demo suite of this id, or the first one. */
export function demoOf(id: string | null): string {
  return DEMOS.find((demo) => demo.id === id)?.id ?? FIRST_DEMO;
}

/** The benchmark that can do this, by its demo suite. */
export function suiteThatCan(ability: Ability): DemoSuite | undefined {
  return SUITES.find(({ abilities }) => abilities.includes(ability));
}
