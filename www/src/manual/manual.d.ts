/** The manual's chapters, which `build/manual.ts` makes of `manual/*.md`. */
declare module 'virtual:juror-manual' {
  import type { TemplateResult } from 'lit';

  /** A heading with what stands below it, up to the next one. */
  interface Section {
    /** Its part of the address; empty for a chapter's beginning. */
    id: string;
    title: string;
    body: TemplateResult;
  }

  interface Chapter {
    id: string;
    title: string;
    sections: Section[];
  }

  export const chapters: Chapter[];
}
