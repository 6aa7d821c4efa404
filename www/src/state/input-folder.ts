/** What a generator is given for every sample of the list, as the ZIP of the folder that `juror inputs` writes. */
import type { ZipItem } from '../engine/protocol';
import type { InputPicture } from '../engine/types/InputPicture';
import type { InputQuery } from '../engine/types/InputQuery';
import { download } from './download';
import { plural } from './format';
import { store } from './store';

async function itemOf({ place: name, files, treatment, is_row: isRow }: InputPicture): Promise<ZipItem> {
  const [file = null, other = null] = files;
  if (isRow) return { name, bytes: (await store.client.concatenate(files)).png };
  if (treatment === 'as_is') return { name, file: file ?? 0 };
  return { name, bytes: await store.client.prepare(treatment, file, other) };
}

/** Downloads the folder; gives in short what is in it, and says at length what is not. */
export async function downloadInputs(query: InputQuery): Promise<string> {
  const { list, requests, pictures, gaps } = await store.client.inputFolder(query);
  const lacks = gaps.map(({ reason, count, first }) => `${count} × ${reason} The first is ${first}.`).join(' ');
  if (requests === 0) throw new Error(lacks === '' ? 'The list has no sample.' : lacks);
  const items: ZipItem[] = [{ name: 'inputs.jsonl', text: list }];
  for (const picture of pictures) items.push(await itemOf(picture));
  const levels = query.levels.flatMap(({ factor, level }) => [factor, level]);
  download(await store.client.zip(items), 'zip', 'inputs', ...levels);
  const missing = gaps.reduce((sum, { count }) => sum + count, 0);
  if (missing > 0) store.notify('warn', `Not in the ZIP of inputs: ${lacks}`);
  return `${plural(requests, 'request')}${missing === 0 ? '' : `, ${missing} not in it`}`;
}
