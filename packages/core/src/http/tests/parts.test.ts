import { expect, test } from 'vitest';
import { createFetchHandler } from '../fetch-handler.js';

/** A fetch answer of a hundred parts, and how many were asked for. */
async function answerInParts(last?: Error) {
  const made = { count: 0, ended: false };
  const handler = createFetchHandler(async () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      try {
        for (; made.count < 100; made.count++) yield `part ${made.count}\n`;
        if (last !== undefined) throw last;
      } finally {
        made.ended = true;
      }
    })(),
  }));
  return { made, response: await handler(new Request('https://billing.test/')) };
}

// payments#exports
test('a part is asked for when the one before was taken, and none once the reader has gone', async () => {
  const { made, response } = await answerInParts();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect(made.count).toBe(0);
  for (let taken = 0; taken < 3; taken++)
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(`part ${taken}\n`);
  expect(made.count).toBe(2);
  await reader.cancel();
  expect(made).toEqual({ count: 2, ended: true });
});

test('all parts arrive, and one that cannot be read breaks the text off', async () => {
  expect((await (await answerInParts()).response.text()).split('\n')).toHaveLength(101);
  const broken = new Error('The database is gone.');
  await expect((await answerInParts(broken)).response.text()).rejects.toThrow(broken.message);
});
