/** Search in the manual: sections that hold all words, those with a word in their heading first. */
import type { Chapter, Section } from 'virtual:juror-manual';

/** A section that was found, with a few words around the first place. */
export interface Found {
  chapter: Chapter;
  section: Section;
  excerpt: string;
}

/** Characters before and behind the place that was found. */
const AROUND = 70;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** A section's words without its markup. */
export function textOf({ body }: Section): string {
  return body.strings
    .join('')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Sections that hold every word of `query`, in either case. */
export function searched(chapters: readonly Chapter[], query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return [];
  const found: (Found & { inTitle: number })[] = [];
  for (const chapter of chapters) {
    for (const section of chapter.sections) {
      const text = textOf(section);
      const [title, all] = [section.title.toLowerCase(), `${section.title} ${text}`.toLowerCase()];
      if (!words.every((word) => all.includes(word))) continue;
      const at = Math.max(0, text.toLowerCase().indexOf(first));
      const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + AROUND)];
      const excerpt = `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
      found.push({ chapter, section, excerpt, inTitle: words.filter((word) => title.includes(word)).length });
    }
  }
  return found.sort((a, b) => b.inTitle - a.inTitle);
}
