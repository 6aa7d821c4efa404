/** Names of models, whole where there is room; else the middle gives way, as names that are alike differ at their ends. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';

/** Names up to this length are never cut. */
const SHORT = 20;
/** So much of the end stays, and a little more where a word begins there. */
const TAIL = 9;
const MAX_TAIL = 14;

export const nameStyles = css`
  .cut {
    display: inline-flex;
    max-width: 100%;
    min-width: 0;
    overflow: hidden;
    vertical-align: bottom;
    white-space: nowrap;
  }
  .cut > .start {
    flex: 0 1 auto;
    min-width: 2ch;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: pre;
  }
  .cut > .end {
    flex: none;
    white-space: pre;
  }
  /* A column of a phone is too narrow for an end and a middle: the name breaks. */
  @media (max-width: 600px) {
    th .cut {
      display: inline;
      overflow-wrap: anywhere;
      white-space: normal;
    }
    th .cut > [class] {
      overflow: visible;
      white-space: pre-wrap;
    }
  }
  .token {
    display: inline-block;
    max-width: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    vertical-align: bottom;
    white-space: nowrap;
  }
  /* By keys there is no pointer to rest on it: what has the focus shows whole names. */
  :focus-visible > .cut,
  :focus-visible .cut,
  tr:has(:focus-visible) .cut {
    display: inline;
    overflow-wrap: anywhere;
    white-space: normal;
  }
  :focus-visible .cut > span,
  tr:has(:focus-visible) .cut > span {
    overflow: visible;
    white-space: pre-wrap;
  }
`;

/** Where the end of a name begins: at a word if one begins near there, and never within a character. */
export function tailOf(name: string, tail = TAIL, maxTail = MAX_TAIL): number {
  const parts = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)].map(({ index }) => index);
  const least = parts.at(-tail) ?? 0;
  const most = parts.at(-maxTail) ?? 0;
  const word = name.slice(most, least).search(/[\s_\-/.:]/u);
  return word === -1 ? least : most + word;
}

/**
 * A sentence with names in it, each by itself: after a name that is written from right to left, the numbers beside it would
 * change places.
 */
export function renderSentence(sentence: string, names: Iterable<string>): TemplateResult[] {
  const longest = [...new Set(names)].filter((name) => name !== '').sort((a, b) => b.length - a.length);
  if (longest.length === 0) return [html`${sentence}`];
  const known = new RegExp(`(${longest.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`, 'u');
  return sentence.split(known).map((part, at) => (at % 2 === 1 ? html`<bdi>${part}</bdi>` : html`${part}`));
}

/** Behind the name of a criterion where less is better. */
export const renderLower = (info: Pick<CriterionInfo, 'direction'> | undefined): TemplateResult | typeof nothing =>
  info?.direction === 'down' ? html`&nbsp;<span role="img" title="Lower is better" aria-label="lower is better">↓</span>` : nothing;

/** Text with names of pictures in it, as `<canny_image>`: each stays in one line. */
export const renderTokens = (text: string): (string | TemplateResult)[] =>
  text.split(/(<[\w-]{1,32}>)/u).map((part, at) => (at % 2 === 1 ? html`<span class="token">${part}</span>` : part));

/** An id that breaks where its parts end, if it has to. */
export const renderId = (id: string): TemplateResult[] => id.split(/(?<=[/_-])/u).map((part) => html`${part}<wbr />`);

/** A name that gives way in its middle; its text stays whole for whoever reads or copies it. */
export function renderName(name: string): TemplateResult {
  if (name.length <= SHORT) return html`<bdi>${name}</bdi>`;
  const at = tailOf(name);
  return html`<bdi class="cut" title=${name}><span class="start">${name.slice(0, at)}</span><span class="end">${name.slice(at)}</span></bdi>`;
}
