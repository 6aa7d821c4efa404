/** What a demo suite has besides, and the tensors that all of them share: folders next to the suite's own. */
import { page } from '../engine/loader/page';
import type { State } from './state';

/** A folder's list. */
export interface ExtraList {
  files: { path: string; size: number }[];
  /** Where the references are among the keys of the tensors. */
  references?: string;
}

/** A demo suite is open that may have its extra. */
export const isOffered = ({ opened }: Pick<State, 'opened'>): boolean => page.hasExtras && opened.some(({ demo }) => demo);

/** The address has the extra of the demo suite that is open. */
export const isShown = (state: Pick<State, 'opened' | 'route'>): boolean => isOffered(state) && state.route.extra;

/** The tensors' folder. */
export const TENSORS = 'attention';

export async function fetched(folder: string, path: string): Promise<Response> {
  const response = await fetch(new URL(`demo/${folder}/${path}`, document.baseURI));
  if (!response.ok) throw new Error(`The server answered ${response.status} for ${path}.`);
  return response;
}

export const listOf = async (folder: string): Promise<ExtraList> => (await fetched(folder, 'index.json')).json() as Promise<ExtraList>;
