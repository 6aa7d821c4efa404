/** A judge request as files: its text, its pictures in order, and what they are. */
import { isSent, numberedName, pictureItems, picturesOf, plainText, roleLabel } from '../components/parts/parts';
import type { EngineClient } from '../engine/client';
import type { ZipItem } from '../engine/protocol';
import type { RequestView } from '../engine/types/RequestView';

/** The prompt as one text, the system message first. */
export function wholeText({ system, parts }: RequestView): string {
  return system === null ? plainText(parts) : `[system message]\n${system}\n\n[user message]\n${plainText(parts)}`;
}

/** The request's files, below a folder. */
export async function requestItems(client: EngineClient, request: RequestView, folder = ''): Promise<ZipItem[]> {
  const pictures = picturesOf(request.parts);
  let at = 0;
  const parts = request.parts.map((part) => {
    if (part.type === 'text') return part;
    const picture = pictures[at++];
    return {
      type: 'image',
      name: picture === undefined || !isSent(picture) ? null : numberedName(picture),
      path: part.path,
      role: part.role,
      number: part.number,
      treatment: part.treatment,
    };
  });
  const { key, pack, grammar, sha256, notes, system } = request;
  const json = {
    key,
    pack,
    grammar,
    sha256,
    notes,
    system,
    parts,
    pictures: pictures.map((picture) => ({ place: picture.place, is: roleLabel(picture), path: picture.path })),
  };
  const items: ZipItem[] = [
    { name: 'request.txt', text: wholeText(request) },
    { name: 'request.json', text: `${JSON.stringify(json, null, 2)}\n` },
    ...(await pictureItems(client, pictures)),
  ];
  return items.map((item) => ({ ...item, name: folder + item.name }));
}
