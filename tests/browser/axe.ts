/** Rules of accessibility, as every test asks for them. */
import { AxeBuilder } from '../../www/node_modules/@axe-core/playwright';
import type { Page } from '../../www/node_modules/@playwright/test';

/** Of all rules those of contrast alone depend on the colour scheme. */
export const SCHEMES = [
  ['light', 'all'],
  ['dark', 'contrast'],
] as const;

/** What a finger hits is 24 pixels wide and high, or has as much room around it; axe asks for this only where it is named. */
const RULES = { contrast: ['color-contrast', 'link-in-text-block'], targets: ['target-size'] };

export type Rules = 'all' | keyof typeof RULES;

/**
 * axe for what a page shows. There are no frames, whose results would have to be put together in a page of their own; and of
 * what passes one element stands for all, as each is named by a selector that takes time to find.
 */
export function axe(page: Page, rules: Rules = 'all'): AxeBuilder {
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  return rules === 'all' ? builder : builder.withRules(RULES[rules]);
}
