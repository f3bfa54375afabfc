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
  // Nobody listens on port 1: the first of the two is a provider that is down.
  const rpc = ['http://127.0.0.1:1', served.url];
  chain = createSolanaChain({ rpc, charger, network: 'devnet', clock: untimed(() => world.net.now()) });
});
afterAll(() => served.close());

describe('over HTTP, the preferred endpoint being down', () => {
  it('reads, builds, signs, sends and resolves as in process', async () => {
    const views = await chain.readCharges([world.ask], 'confirmed');
    const [view] = views;
    if (!view?.ok) throw new Error('not read');
    expect(views).toEqual(await world.chain.readCharges([world.ask], 'confirmed'));

    const built = await chain.build({ ...world.ask, kind: 'subscribe', view: view.value });
    expect(built).toEqual(await world.chain.build({ ...world.ask, kind: 'subscribe', view: view.value }));
    if (!built.ok) throw new Error('not built');
    const submitted = await signed(built.value.transaction, wallet);
    const payment = await chain.cosign(submitted, built.value.lastValidBlockHeight);
    expect(await chain.simulate(payment.wire)).toEqual({ ok: true, value: null });
    expect(await chain.send([payment.wire])).toEqual([{ kind: 'sent' }]);
    const asked = { ...payment, mint: world.plan.mint, receiver: receiver.address };
    expect(await chain.resolve([asked])).toEqual([await world.fate(payment)]);
    expect(await chain.head()).toEqual(await world.chain.head());
  });

  it('answers many equal questions of one instant, each on its own, and rests no endpoint for it', async () => {
    const waits: number[] = [];
    const patient = untimed(() => world.net.now());
    const clock: typeof patient = {
      ...patient,
      sleep: (ms, signal) => {
        waits.push(ms);
        return patient.sleep(ms, signal);
      },
    };
    const timeouts = { answerMs: 5_000, totalMs: 12_000 };
    const busy = createSolanaChain({ rpc: served.url, charger, network: 'devnet', clock, timeouts });
    const heads = await Promise.all(Array.from({ length: 50 }, () => busy.head()));
    const head = await world.chain.head();
    expect(heads).toEqual(heads.map(() => head));
    // Deadlines alone were set; a pause is what comes before a question is put again.
    expect(waits.filter((ms) => ms < timeouts.answerMs)).toEqual([]);
  });

  it('charges, and classifies a charge that fails', async () => {
    world.net.advance({ seconds: HOUR });
    const receiverAccount = await world.tokenAccount(receiver.address);
    const order = { ...world.ask, amount: PRICE, receiverAccount };
    const answer = await chain.signCharges([order, { ...order, amount: PRICE - 1n }]);
    if (!answer.ok) throw new Error('not signed');
    await chain.send(answer.value.map(({ wire }) => wire));
    const asks = answer.value.map((transaction) => ({
      ...transaction,
      mint: world.plan.mint,
      receiver: receiver.address,
    }));
    const fates = await chain.resolve(asks);
    expect(fates.map(({ kind }) => kind).toSorted()).toEqual(['failed', 'landed']);
    expect(fates.find(({ kind }) => kind === 'failed')).toMatchObject({
      refusal: { kind: 'program', code: 400 },
    });
  });
});
