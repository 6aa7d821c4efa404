/** The manual's chapters, `manual/*.md`, as templates of the page: nothing of them is parsed in a browser. */
import { readFile, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import { WWW } from './script';

const NAME = 'virtual:juror-manual';
const FOLDER = resolve(WWW, 'manual');
const FIGURES = 'figures';

/** A heading's address: as hosts of Markdown make it, so that a link works there too. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[`*’']/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** `03-judging.md` is the chapter `judging`; its number is its place. */
const chapterOf = (file: string): string => file.replace(/^\d+-/, '').replace(/\.md$/, '');

/** Inside a template literal. */
const literal = (markup: string): string => `html\`${markup.replace(/[\\`$]/g, '\\$&')}\``;

/** A link to another chapter or section of the manual as an address of the page. */
function address(href: string, chapter: string): string {
  const [file = '', section = ''] = href.split('#', 2);
  return `#/manual/${file === '' ? chapter : chapterOf(file)}${section === '' ? '' : `/${section}`}`;
}

/** What chapters refer to. */
interface Outside {
  /** Addresses inside the manual. */
  known: ReadonlySet<string>;
  /** Drawings by their path from the chapters, as they are put into the text: in its colours, on no request. */
  figures: ReadonlyMap<string, string>;
}

/** One chapter as an object literal. */
function chapter(file: string, text: string, { known, figures }: Outside, warn: (message: string) => never): string {
  const name = chapterOf(file);
  const markdown = new Marked({ gfm: true });
  markdown.use({
    renderer: {
      link({ href, title, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens);
        const isOwn = /^(?:\d\d-[\w-]+\.md)?(?:#[\w-]+)?$/.test(href);
        if (isOwn && !known.has(address(href, name))) warn(`manual/${file}: there is nothing at ${href}.`);
        const to = isOwn ? address(href, name) : href;
        const away = isOwn || to.startsWith('#') ? '' : ' target="_blank" rel="noopener"';
        return `<a href="${to.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"${title ? ` title="${title.replaceAll('"', '&quot;')}"` : ''}${away}>${inner}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        const drawing = figures.get(href) ?? warn(`manual/${file}: there is no ${href}.`);
        const words = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
        return drawing.replace('<svg ', `<svg class="figure" role="img" aria-label="${words}" `);
      },
      code({ text }: Tokens.Code): string {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        return `<pre tabindex="0" role="group" aria-label="Example"><code>${escaped}</code></pre>`;
      },
      table(token: Tokens.Table): string {
        const cells = (row: Tokens.TableCell[], tag: 'th' | 'td'): string =>
          row.map(({ tokens }) => `<${tag} dir="auto">${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`;
      },
    },
  });
  const parts: { id: string; title: string; tokens: Tokens.Generic[] }[] = [];
  let title = name;
  for (const token of markdown.lexer(text)) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth === 1) {
      title = (token as Tokens.Heading).text;
      parts.push({ id: '', title, tokens: [] });
    } else if (token.type === 'heading' && (token as Tokens.Heading).depth < 4) {
      const heading = (token as Tokens.Heading).text.replaceAll('`', '');
      parts.push({ id: slug(heading), title: heading, tokens: [] });
    } else parts.at(-1)?.tokens.push(token);
  }
  const sections = parts.map(
    ({ id, title: heading, tokens }) => `{ id: ${JSON.stringify(id)}, title: ${JSON.stringify(heading)}, body: ${literal(markdown.parser(tokens as never))} }`,
  );
  return `{ id: ${JSON.stringify(name)}, title: ${JSON.stringify(title)}, sections: [${sections.join(',\n')}] }`;
}

/** Every address inside the manual. */
function addresses(files: ReadonlyMap<string, string>): Set<string> {
  const known = new Set<string>();
  for (const [file, text] of files) {
    known.add(`#/manual/${chapterOf(file)}`);
    for (const [, heading = ''] of text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{2,3} (.+)$/gm))
      known.add(`#/manual/${chapterOf(file)}/${slug(heading)}`);
  }
  return known;
}

/** Offers the manual as a module; a link inside it that leads nowhere fails the build. */
export function manual(): Plugin {
  return {
    name: 'juror-manual',
    resolveId: (source) => (source === NAME ? `\0${NAME}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null;
      const names = (await readdir(FOLDER)).filter((file) => /^\d\d-[\w-]+\.md$/.test(file)).sort();
      const files = new Map<string, string>();
      for (const file of names) {
        const path = resolve(FOLDER, file);
        this.addWatchFile(path);
        files.set(file, await readFile(path, 'utf8'));
      }
      const figures = new Map<string, string>();
      for (const file of await readdir(resolve(FOLDER, FIGURES))) {
        const path = resolve(FOLDER, FIGURES, file);
        this.addWatchFile(path);
        figures.set(`${FIGURES}/${file}`, (await readFile(path, 'utf8')).replaceAll('\n', ''));
      }
      const outside = { known: addresses(files), figures };
      const chapters = [...files].map(([file, text]) => chapter(file, text, outside, (message) => this.error(message)));
      return `import { html } from 'lit';\nexport const chapters = [${chapters.join(',\n')}];\n`;
    },
  };
}
