/** A report that opens by double click: the page in one file with an evidence pack inside. */
import { encodeBase64 } from './base64';
import { page } from './loader/page';

/** Where the page in one file keeps a pack; `juror score --format html` looks for the same. */
const SLOT = '<script type="application/octet-stream" id="juror-payload-report">';
const SLOT_END = '</script>';
/** A multiple of three bytes, so that the pieces join without padding. */
const PIECE = 3 * 2 ** 20;

/** Puts a pack into the page, in the place of one that is there. */
export async function withPack(pack: Blob): Promise<Blob> {
  const html = await page.template();
  const start = html.indexOf(SLOT) + SLOT.length;
  const end = html.indexOf(SLOT_END, start);
  if (start < SLOT.length || end < start) throw new Error('This copy of the page has no place for a report.');
  const parts = [html.slice(0, start)];
  for (let at = 0; at < pack.size; at += PIECE) parts.push(encodeBase64(new Uint8Array(await pack.slice(at, at + PIECE).arrayBuffer())));
  return new Blob([...parts, html.slice(end)], { type: 'text/html' });
}
