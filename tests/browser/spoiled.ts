/** Packs that somebody spoiled, each in one way, and what is to be said of them wherever they are opened. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from '../../www/node_modules/@playwright/test';
import { TempFolder, juror, writeSmallBenchmark } from './helpers';
import { unzip, zipOf, type Entry } from './zip';

export type Answer = 'reproduced' | 'differs' | 'refused';

export interface Spoiled {
  /** How it was spoiled. */
  how: string;
  /** The name that its file has. */
  file: string;
  pack: Buffer;
  answer: Answer;
}

const hash = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** The text of an entry. */
function textOf(entries: Entry[], name: string): string {
  const found = entries.find((entry) => entry.name === name);
  expect(found, name).toBeDefined();
  return Buffer.from(found?.data ?? '').toString('utf8');
}

/** The entries with another text in one of them. */
function withText(entries: Entry[], name: string, text: string): Entry[] {
  expect(text, name).not.toBe(textOf(entries, name));
  return entries.map((entry) => (entry.name === name ? { name, data: text } : entry));
}

/** The same with a manifest that fits: sizes, hashes and its own seal. */
function resealed(entries: Entry[]): Entry[] {
  let manifest = textOf(entries, 'manifest.json');
  for (const { name, data } of entries) {
    const bytes = Buffer.from(data);
    const row = new RegExp(`("path":${JSON.stringify(name).replace(/[.\\/]/g, '\\$&')},"role":"\\w+","size":)\\d+(,"sha256":")[0-9a-f]{64}`);
    manifest = manifest.replace(row, (_, size: string, seal: string) => `${size}${bytes.length}${seal}${hash(bytes)}`);
  }
  const unsealed = manifest.replace(/"sha256": "[0-9a-f]{64}"\n}\n$/, '"sha256": ""\n}\n');
  return withText(entries, 'manifest.json', unsealed.replace(/"sha256": ""\n}\n$/, `"sha256": "${hash(unsealed)}"\n}\n`));
}

/** The same with a change of the manifest's own text, sealed again. */
function withManifest(entries: Entry[], from: RegExp, to: string): Entry[] {
  const manifest = textOf(entries, 'manifest.json');
  expect(manifest).toMatch(from);
  return resealed(withText(entries, 'manifest.json', manifest.replace(from, to)));
}

/** The same with a file that nobody asked for, listed under this role. */
function withListed(entries: Entry[], name: string, role: string, data: string | Uint8Array): Entry[] {
  const row = `    ${JSON.stringify({ path: name, role, size: Buffer.from(data).length, sha256: hash(data) })}`;
  return [...withManifest(entries, /("entries": \[\n)/, `$1${row},\n`), { name, data: Buffer.from(data) }];
}

/** A file of rows with its first two exchanged. */
function withRowsExchanged(entries: Entry[], name: string): Entry[] {
  const [first = '', second = '', ...rest] = textOf(entries, name).split('\n');
  return resealed(withText(entries, name, [second, first, ...rest].join('\n')));
}

/** A pack that says of each of its sound pictures that it does not decode. */
const CORRUPT = '"picture":{"corrupt":"It does not decode.","hint":"Make it again."}';

/** A sound pack of a small benchmark, and it spoiled in every way. */
export function spoiledPacks(folder: TempFolder): Spoiled[] {
  writeSmallBenchmark(folder, 3);
  juror(['pack', folder.at('bench'), folder.at('result'), '--out', folder.at('sound.zip'), '--images', 'full']);
  const pack = readFileSync(folder.at('sound.zip'));
  const entries = unzip(pack);
  const replies = 'result/m/metrics.jsonl';
  const report = textOf(entries, 'report.json').replace(/"mean":0\.\d+/, '"mean":0.987654');
  const better = textOf(entries, replies).replace('"score":8', '"score":10');
  const bad: Entry = { name: 'report.json', data: report };
  const more = (...added: Entry[]): Buffer => zipOf([...entries, ...added]);
  const mapped = (map: (entry: Entry) => Entry): Buffer => zipOf(entries.map(map));
  const marked = (data: Entry['data']): Buffer => Buffer.concat([Buffer.from('\ufeff'), Buffer.from(data)]);
  const renamed = (from: string, to: string): Buffer => zipOf(entries.map((entry) => (entry.name === from ? { ...entry, name: to } : entry)));
  return [
    { how: 'not at all', file: 'sound.zip', pack, answer: 'reproduced' },
    { how: 'renamed', file: 'another name.zip', pack, answer: 'reproduced' },
    {
      how: 'zipped anew',
      file: 'anew.zip',
      pack: zipOf(entries),
      answer: 'reproduced',
    },
    {
      how: 'a forged report',
      file: 'report.zip',
      pack: zipOf(withText(entries, 'report.json', report)),
      answer: 'differs',
    },
    {
      how: 'a forged reply',
      file: 'reply.zip',
      pack: zipOf(withText(entries, replies, better)),
      answer: 'differs',
    },
    {
      how: 'a forged report under a new seal',
      file: 'report-sealed.zip',
      pack: zipOf(resealed(withText(entries, 'report.json', report))),
      answer: 'differs',
    },
    {
      how: 'a forged reply under a new seal',
      file: 'reply-sealed.zip',
      pack: zipOf(resealed(withText(entries, replies, better))),
      answer: 'differs',
    },
    {
      how: 'a sound picture called corrupt',
      file: 'corrupt.zip',
      pack: zipOf(withManifest(entries, /"picture":\{"width":\d+,"height":\d+\}/g, CORRUPT)),
      answer: 'differs',
    },
    {
      how: 'another size of a picture',
      file: 'size.zip',
      pack: zipOf(withManifest(entries, /"width":\d+/, '"width":4096')),
      answer: 'differs',
    },
    {
      how: 'another role of a picture',
      file: 'role.zip',
      pack: zipOf(withManifest(entries, /"role":"picture"/, '"role":"other"')),
      answer: 'differs',
    },
    {
      how: 'judge texts called official',
      file: 'official.zip',
      pack: zipOf(withManifest(entries, /"official": false/, '"official": true')),
      answer: 'differs',
    },
    {
      how: 'judge texts by another name',
      file: 'texts.zip',
      pack: zipOf(withManifest(entries, /("prompts": \{\s*"name": ")/, '$1Official ')),
      answer: 'differs',
    },
    {
      how: 'an unknown key of the manifest',
      file: 'key.zip',
      pack: zipOf(withManifest(entries, /("protocol":)/, '"audited": true,\n  $1')),
      answer: 'differs',
    },
    {
      how: 'a remark',
      file: 'remark.zip',
      pack: zipOf(withListed(entries, 'AUDIT.md', 'other', 'Audited.')),
      answer: 'differs',
    },
    {
      how: 'a pack in the pack',
      file: 'nested.zip',
      pack: zipOf(withListed(entries, 'inner.zip', 'other', pack)),
      answer: 'differs',
    },
    {
      how: 'verdicts in another order',
      file: 'verdicts.zip',
      pack: zipOf(withRowsExchanged(entries, 'verdicts.jsonl')),
      answer: 'differs',
    },
    {
      how: 'requests in another order',
      file: 'requests.zip',
      pack: zipOf(withRowsExchanged(entries, 'requests.jsonl')),
      answer: 'differs',
    },
    {
      how: 'a verdict from another source',
      file: 'source.zip',
      pack: zipOf(resealed(withText(entries, 'verdicts.jsonl', textOf(entries, 'verdicts.jsonl').replace('"source":"', '"source":"elsewhere/')))),
      answer: 'differs',
    },
    {
      how: 'verdicts with more blanks',
      file: 'blanks.zip',
      pack: zipOf(resealed(withText(entries, 'verdicts.jsonl', textOf(entries, 'verdicts.jsonl').replace('","sample"', '", "sample"')))),
      answer: 'differs',
    },
    {
      how: 'an entry renamed',
      file: 'entry.zip',
      pack: renamed(replies, 'result/m/judged.jsonl'),
      answer: 'differs',
    },
    {
      how: 'a report doubled, the forged one last',
      file: 'last.zip',
      pack: zipOf([...entries, bad]),
      answer: 'refused',
    },
    {
      how: 'a report doubled, the forged one first',
      file: 'first.zip',
      pack: zipOf([bad, ...entries]),
      answer: 'refused',
    },
    {
      how: 'a second manifest',
      file: 'manifest.zip',
      pack: more({ name: 'manifest.json', data: '{}' }),
      answer: 'refused',
    },
    {
      how: 'doubled by a backslash',
      file: 'backslash.zip',
      pack: more({ name: 'result\\m\\metrics.jsonl', data: 'x' }),
      answer: 'refused',
    },
    {
      how: 'leaving the folder',
      file: 'leaving.zip',
      pack: more({ name: '../evil.txt', data: 'x' }),
      answer: 'refused',
    },
    {
      how: 'an absolute path',
      file: 'absolute.zip',
      pack: more({ name: '/evil.txt', data: 'x' }),
      answer: 'refused',
    },
    {
      how: 'a control character',
      file: 'control.zip',
      pack: more({ name: 'a\u0007b.txt', data: 'x' }),
      answer: 'refused',
    },
    {
      how: 'false UTF-8',
      file: 'utf8.zip',
      pack: more({
        name: 'x',
        rawName: Buffer.from([0xff, 0x2e, 0x74]),
        data: 'x',
      }),
      answer: 'refused',
    },
    {
      how: 'another code page',
      file: 'cp437.zip',
      pack: more({
        name: 'x',
        rawName: Buffer.from([0x81, 0x2e, 0x74]),
        flags: 0,
        data: 'x',
      }),
      answer: 'differs',
    },
    {
      how: 'files left by a system',
      file: 'littered.zip',
      pack: more({ name: '.DS_Store', data: 'x' }, { name: '__MACOSX/._report.json', data: 'x' }),
      answer: 'reproduced',
    },
    {
      how: 'an added file',
      file: 'added.zip',
      pack: more({ name: 'more.txt', data: 'x' }),
      answer: 'differs',
    },
    {
      how: 'in a folder',
      file: 'folder.zip',
      pack: mapped((entry) => ({ ...entry, name: `evidence/${entry.name}` })),
      answer: 'reproduced',
    },
    {
      how: 'with backslashes',
      file: 'backslashes.zip',
      pack: mapped((entry) => ({
        ...entry,
        name: entry.name.replaceAll('/', '\\'),
      })),
      answer: 'reproduced',
    },
    {
      how: 'a manifest with a byte order mark',
      file: 'marked.zip',
      pack: mapped((entry) => (entry.name === 'manifest.json' ? { ...entry, data: marked(entry.data) } : entry)),
      answer: 'refused',
    },
    {
      how: 'claiming too much',
      file: 'claims.zip',
      pack: more({ name: 'big.txt', data: 'x', declares: 2 ** 31 }),
      answer: 'refused',
    },
    {
      how: 'cut in the middle',
      file: 'half.zip',
      pack: pack.subarray(0, pack.length >> 1),
      answer: 'refused',
    },
    {
      how: 'cut by its last byte',
      file: 'byte.zip',
      pack: pack.subarray(0, -1),
      answer: 'refused',
    },
  ];
}
