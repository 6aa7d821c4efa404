/** What a generator is given for every sample of the list, as the ZIP of the folder that `juror inputs` writes. */
import type { EngineClient } from '../engine/client';
import type { ZipItem } from '../engine/protocol';
import type { InputPicture } from '../engine/types/InputPicture';
import type { InputQuery } from '../engine/types/InputQuery';
import { plural } from './format';

async function itemOf(client: EngineClient, { place: name, files, treatment, is_row: isRow }: InputPicture): Promise<ZipItem> {
  const [file = null, other = null] = files;
  if (isRow) return { name, bytes: (await client.concatenate(files)).png };
  if (treatment === 'as_is') return { name, file: file ?? 0 };
  return { name, bytes: await client.prepare(treatment, file, other) };
}

/** The folder, what is in it in short, and what is not at length. */
export interface InputFolder {
  zip: Blob;
  words: string;
  lacks: string;
}

/** Makes the folder; one with no sample is refused. */
export async function folderOf(client: EngineClient, query: InputQuery): Promise<InputFolder> {
  const { list, requests, pictures, gaps } = await client.inputFolder(query);
  const lacks = gaps.map(({ reason, count, first }) => `${count} × ${reason} The first is ${first}.`).join(' ');
  if (requests === 0) throw new Error(lacks === '' ? 'The list has no sample.' : lacks);
  const items: ZipItem[] = [{ name: 'inputs.jsonl', text: list }];
  for (const picture of pictures) items.push(await itemOf(client, picture));
  const missing = gaps.reduce((sum, { count }) => sum + count, 0);
  const words = `${plural(requests, 'request')}${missing === 0 ? '' : `, ${missing} not in it`}`;
  return { zip: await client.zip(items), words, lacks: missing === 0 ? '' : lacks };
}
