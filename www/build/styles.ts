/** Writes the styles of components without comments and indents, which every visitor would fetch. */
import type { Plugin } from 'vite';

const STYLES = /\bcss`([^`]*)`/gu;

/** A style sheet as a browser reads it. */
export const plain = (styles: string): string => styles.replace(/\/\*[^]*?\*\//gu, '').replace(/\s*\n\s*/gu, '\n');

export function styles(): Plugin {
  return {
    name: 'juror-styles',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.ts') || !id.includes('/src/')) return null;
      return { code: code.replace(STYLES, (_, text: string) => `css\`${plain(text)}\``), map: null };
    },
  };
}
