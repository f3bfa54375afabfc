import type { RpcTransport } from '@solana/kit';
import type { Logger } from '@subrail/core/ports';
import type { ChangeListener } from '@subrail/localnet';
import { expect, test } from 'vitest';
import { saveOnChange, answerOnceSaved } from './chain-saver.js';

/** A chain whose saves succeed or fail when the test says so. */
function fakeChain() {
  let listener: ChangeListener = () => {};
  const saves: { readonly end: () => void; readonly fail: () => void }[] = [];
  return {
    saves,
    change: () => listener({ kind: 'clock' }),
    onChange(added: ChangeListener) {
      listener = added;
      return () => (listener = () => {});
    },
    save: () =>
      new Promise<void>((end, reject) => {
        saves.push({ end, fail: () => reject(new Error('disk full')) });
      }),
  };
}

const errors: string[] = [];
const logger: Logger = { debug() {}, info() {}, warn() {}, error: (_, message) => void errors.push(message) };

/** Runs every promise callback that is ready. */
const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

test('returns an answer only once the changes it reports are in the file', async () => {
  const chain = fakeChain();
  const saver = saveOnChange(chain, 'chain', logger);
  const transport = answerOnceSaved(
    (async () => {
      chain.change();
      return 'signature';
    }) as RpcTransport,
    saver,
  );
  let answer: unknown = null;
  const pending = transport({ payload: {} }).then((value) => (answer = value));
  await flushPromises();
  expect([answer, chain.saves.length]).toEqual([null, 1]);
  chain.saves[0]?.end();
  await pending;
  expect(answer).toBe('signature');
});

test('returns an answer at once when nothing changed', async () => {
  const saver = saveOnChange(fakeChain(), 'chain', logger);
  const transport = answerOnceSaved((async () => 'slot') as RpcTransport, saver);
  expect(await transport({ payload: {} })).toBe('slot');
});

test('saves changes that happen during a save together in the next one', async () => {
  const chain = fakeChain();
  const saver = saveOnChange(chain, 'chain', logger);
  chain.change();
  chain.change();
  chain.change();
  expect(chain.saves).toHaveLength(1);
  let saved = false;
  const all = saver.saved().then(() => (saved = true));
  chain.saves[0]?.end();
  await flushPromises();
  expect([saved, chain.saves.length]).toEqual([false, 2]);
  chain.saves[1]?.end();
  await all;
});

test('stops once no save is in progress or follows', async () => {
  const chain = fakeChain();
  const saver = saveOnChange(chain, 'chain', logger);
  chain.change();
  chain.change();
  let stopped = false;
  const stopping = saver.stop().then(() => (stopped = true));
  chain.change();
  chain.saves[0]?.end();
  await flushPromises();
  expect([stopped, chain.saves.length]).toEqual([false, 2]);
  chain.saves[1]?.end();
  await stopping;
  await flushPromises();
  expect(chain.saves).toHaveLength(2);
});

test('logs a failed save, rejects its request, and saves again at the next request', async () => {
  const chain = fakeChain();
  const saver = saveOnChange(chain, 'chain', logger);
  const transport = answerOnceSaved((async () => 'slot') as RpcTransport, saver);
  chain.change();
  const refused = expect(transport({ payload: {} })).rejects.toThrow('disk full');
  chain.saves[0]?.fail();
  await refused;
  expect(errors).toEqual(['the local chain could not be saved']);
  const pending = transport({ payload: {} });
  await flushPromises();
  chain.saves[1]?.end();
  expect(await pending).toBe('slot');
});
