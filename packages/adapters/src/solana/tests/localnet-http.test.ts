import type { Chain } from '@subrail/core/ports';
import { type ServedLocalnet, serveLocalnet } from '@subrail/localnet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSolanaChain } from '../index.js';
import { charger, untimed } from './chain-on.js';
import { HOUR, LocalWorld, PRICE, receiver, wallet, signed } from './local-world.js';

let world: LocalWorld;
let served: ServedLocalnet;
let chain: Chain;

beforeAll(async () => {
  world = await LocalWorld.open();
  served = await serveLocalnet(world.net, { port: 0 });
  // Nothing listens on port 1, so the first endpoint is down.
  const rpc = ['http://127.0.0.1:1', served.url];
  chain = createSolanaChain({ rpc, charger, network: 'devnet', ...untimed(() => world.net.now()) });
});
afterAll(() => served.close());

describe('the chain over HTTP, with its preferred endpoint down', () => {
  it('reads, builds, signs, sends and resolves as it does in process', async () => {
    const views = await chain.readCharges([world.target], 'confirmed');
    const [view] = views;
    if (!view?.ok) throw new Error('not read');
    expect(views).toEqual(await world.chain.readCharges([world.target], 'confirmed'));

    const built = await chain.build({ ...world.target, kind: 'subscribe', view: view.value });
    expect(built).toEqual(await world.chain.build({ ...world.target, kind: 'subscribe', view: view.value }));
    if (!built.ok) throw new Error('not built');
    const submitted = await signed(built.value.transaction, wallet);
    const payment = await chain.cosign(submitted, built.value.lastValidBlockHeight);
    expect(await chain.simulate(payment.wire)).toEqual({ ok: true, value: null });
    expect(await chain.send([payment.wire])).toEqual([{ kind: 'sent' }]);
    const query = { ...payment, mint: world.plan.mint, receiver: receiver.address };
    expect(await chain.resolve([query])).toEqual([await world.outcome(payment)]);
    expect(await chain.head()).toEqual(await world.chain.head());
  });

  it('serves many equal calls at the same instant without a backoff', async () => {
    const waits: number[] = [];
    const { clock: patient, elapsed } = untimed(() => world.net.now());
    const clock: typeof patient = {
      ...patient,
      sleep: (ms, signal) => {
        waits.push(ms);
        return patient.sleep(ms, signal);
      },
    };
    const timeouts = { answerMs: 5_000, totalMs: 12_000 };
    const busy = createSolanaChain({ rpc: served.url, charger, network: 'devnet', clock, elapsed, timeouts });
    const heads = await Promise.all(Array.from({ length: 50 }, () => busy.head()));
    const head = await world.chain.head();
    expect(heads).toEqual(heads.map(() => head));
    // Only deadlines were waited for. A shorter wait would be the pause before a retry.
    expect(waits.filter((ms) => ms < timeouts.answerMs)).toEqual([]);
  });

  it('charges, and classifies a failed charge', async () => {
    world.net.advance({ seconds: HOUR });
    const receiverAccount = await world.tokenAccount(receiver.address);
    const order = { ...world.target, amount: PRICE, receiverAccount };
    const result = await chain.signCharges([order, { ...order, amount: PRICE - 1n }]);
    if (!result.ok) throw new Error('not signed');
    await chain.send(result.value.map(({ wire }) => wire));
    const queries = result.value.map((transaction) => ({
      ...transaction,
      mint: world.plan.mint,
      receiver: receiver.address,
    }));
    const outcomes = await chain.resolve(queries);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['failed', 'landed']);
    expect(outcomes.find(({ kind }) => kind === 'failed')).toMatchObject({
      refusal: { kind: 'program', code: 400 },
    });
  });
});
