import type { RpcTransport } from '@solana/kit';
import type { Logger } from '@subrail/core';
import type { ChangeListener } from '@subrail/localnet';
import { expect, test } from 'vitest';
import { saveOnChange, answerOnceSaved } from './chain-saver.js';

/** A chain whose saves end when the test says so. */
function fakeChain() {
  let listener: ChangeListener = () => {};
  const saves: { readonly end: () => void; readonly fail: () => void }[] = [];
  return {
    saves,
    change: () => listener({ kind: 'clock' }),
    onChange(given: ChangeListener) {
      listener = given;
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

/** Lets every promise that can go on go on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('an answer is let out only when the changes it tells of are in the file', async () => {
  const chain = fakeChain();
  const keeper = saveOnChange(chain, 'chain', logger);
  const send = answerOnceSaved(
    (async () => {
      chain.change();
      return 'signature';
    }) as RpcTransport,
    keeper,
  );
  let answer: unknown = null;
  const asked = send({ payload: {} }).then((given) => (answer = given));
  await turn();
  expect([answer, chain.saves.length]).toEqual([null, 1]);
  chain.saves[0]?.end();
  await asked;
  expect(answer).toBe('signature');
});

test('an answer after no change waits for nothing', async () => {
  const keeper = saveOnChange(fakeChain(), 'chain', logger);
  const ask = answerOnceSaved((async () => 'slot') as RpcTransport, keeper);
  expect(await ask({ payload: {} })).toBe('slot');
});

test('changes that come while a save runs share the next one', async () => {
  const chain = fakeChain();
  const keeper = saveOnChange(chain, 'chain', logger);
  chain.change();
  chain.change();
  chain.change();
  expect(chain.saves).toHaveLength(1);
  let kept = false;
  const all = keeper.kept().then(() => (kept = true));
  chain.saves[0]?.end();
  await turn();
  expect([kept, chain.saves.length]).toEqual([false, 2]);
  chain.saves[1]?.end();
  await all;
});

test('a save that fails is logged, its answer is not let out, and the next question saves again', async () => {
  const chain = fakeChain();
  const keeper = saveOnChange(chain, 'chain', logger);
  const ask = answerOnceSaved((async () => 'slot') as RpcTransport, keeper);
  chain.change();
  const refused = expect(ask({ payload: {} })).rejects.toThrow('disk full');
  chain.saves[0]?.fail();
  await refused;
  expect(errors).toEqual(['the local chain could not be saved']);
  const asked = ask({ payload: {} });
  await turn();
  chain.saves[1]?.end();
  expect(await asked).toBe('slot');
});
