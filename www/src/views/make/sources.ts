/** Folders and ZIPs that a project takes. */
import { html, type TemplateResult } from 'lit';
import { icon } from '../../components/icon/icon';
import type { Source } from '../../engine/client';
import { unzipped, type Given } from '../../engine/make/project';
import { fromFileList, hasDirectoryPicker, pickFolder } from '../../engine/sources';

/** What is done with the files of a folder. */
export type Use = (files: Given[]) => void;

/** What a view does with sources that are chosen. */
export interface SourceActions {
  /** Does something that may fail, and says why it did. */
  carryOut: (busy: string, work: () => Promise<void> | void) => Promise<void>;
  /** Lists what was chosen, and has it used. */
  give: (sources: Source[], use: Use) => Promise<void>;
}

/** A folder, by the picker where there is one, else by a field. */
export function sourceChoice(words: string, file: string, id: string, use: Use, { carryOut, give }: SourceActions): TemplateResult {
  const chosen = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    const sources = fromFileList(field.files ?? []);
    field.value = '';
    void give(sources, use);
  };
  const pick = (event: Event): void => {
    if (!hasDirectoryPicker()) return;
    event.preventDefault();
    void carryOut('', async () => {
      const source = await pickFolder();
      if (source !== null) void give([source], use);
    });
  };
  return html`<label class="button primary pick"
    >${icon('folder', 16)}${words}<input type="file" webkitdirectory multiple class="visually-hidden" data-testid=${id} @click=${pick} @change=${chosen}
  /></label>
    <label class="button pick">${file}<input type="file" accept=".zip,.json" class="visually-hidden" data-testid=${`${id}-file`} @change=${chosen} /></label>`;
}

/** The files of all sources. */
export async function listed(sources: Source[]): Promise<Given[]> {
  const files: Given[] = [];
  for (const source of sources)
    if (source.kind === 'zip') files.push(...(await unzipped(new File([source.blob], source.name))));
    else if (source.kind === 'files')
      for (const { path, open } of await source.list(() => undefined)) files.push({ path, open: async () => (await open()) as File });
  return files;
}
