/** What leaves the page's call of a service: no key in whatever form it comes back, and no more bytes than the limit. */
import { expect, test } from '../../www/node_modules/@playwright/test';

import { RESPONSE_BYTES, post, withoutKeys } from '../../www/src/engine/call';

const KEY = 'sk-abc/DEF+123._x-9876543210';

test('a key that comes back spaced, escaped or in base64 is in no message', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const forms = [
    KEY,
    Array.from(KEY).join(' '),
    Array.from(KEY).join('\n'),
    encodeURIComponent(KEY),
    base64(KEY),
    base64(`Bearer ${KEY}`),
    base64(`user:${KEY}`),
    base64(`x${KEY}yyy`),
    base64(KEY).replaceAll('+', '-').replaceAll('/', '_'),
  ];
  for (const form of forms) expect(withoutKeys(`Your key ${form} is wrong.`, [KEY])).toBe('Your key [key] is wrong.');
  for (const other of ['sk-abc', 'Nothing here.', base64('another text of some length')]) expect(withoutKeys(other, [KEY])).toBe(other);
});

test('an answer without end is read up to the limit and fails with a word', async () => {
  const piece = new Uint8Array(2 ** 20).fill(0x20);
  let pieces = 0;
  const endless = (): Response =>
    new Response(
      new ReadableStream({
        pull: (to) => {
          pieces += 1;
          to.enqueue(piece);
        },
      }),
    );
  const real = globalThis.fetch;
  globalThis.fetch = () => Promise.resolve(endless());
  try {
    const called = await post('https://judge.example/', { header: 'authorization', prefix: 'Bearer ', fixed: [] } as never, KEY, '{}', 60);
    expect('text' in called ? called.text : '').toContain('longer than 64 MiB');
    expect(pieces).toBeLessThan(RESPONSE_BYTES / piece.length + 4);
  } finally {
    globalThis.fetch = real;
  }
});
