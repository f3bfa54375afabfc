import { beforeEach, describe, expect, it } from 'vitest';
import { CLASSIC, HOUR, LocalWorld, PRICE, receiver, signed, wallet } from './local-world.js';

let world: LocalWorld;
beforeEach(async () => {
  world = await LocalWorld.open();
});

const subscribe = async () => world.land(await world.firstPayment());
const program = (code: number) => ({ kind: 'failed', refusal: { kind: 'program', code } });

/** Takes the approval away, as the wallet can without the program. */
const disapprove = () =>
  world.changeSource((data) => {
    data.fill(0, 72, 108);
    data.fill(0, 121, 129);
  });

/** Gives the one approval of the token account to another app. */
const approveAnother = () =>
  world.changeSource((data) => {
    data.set([1, 0, 0, 0, ...new Uint8Array(32).fill(8)], 72);
  });

describe('subscribing with the first payment', () => {
  it('opens the authority, makes the subscription and pays, in one transaction', async () => {
    const payment = await world.firstPayment();
    expect(await world.chain.simulate(payment.wire)).toEqual({ ok: true, value: null });
    expect(await world.land(payment)).toEqual({
      kind: 'landed',
      slot: world.net.clock.slot,
      time: world.net.now(),
      received: PRICE,
    });
    const view = await world.view();
    expect(view.subscription).toMatchObject({ pulled: PRICE, payer: wallet.address, expiresAt: null });
    expect(view.subscription?.generation).toBe(view.authority.generation);
    expect(view.subscription?.periodStart).toEqual(view.time);
    expect(view.source).toMatchObject({ delegate: view.authority.address, balance: 9n * PRICE });
    expect(await world.balance(receiver.address)).toBe(PRICE);
  });

  // checkout#costs-of-a-checkout
  it('says beforehand what it costs, to the lamport', async () => {
    const before = world.net.getAccount(wallet.address)?.lamports ?? 0n;
    const { built, ...payment } = await world.firstPayment();
    expect(built.costs).toEqual({
      rent: { subscription: 1_969_680n, authority: 1_628_640n, total: 3_598_320n },
      fee: { signatures: 2, perSignature: 5_000n, priority: 0n, total: 10_000n },
      total: 3_608_320n,
    });
    await world.land(payment);
    const after = world.net.getAccount(wallet.address)?.lamports ?? 0n;
    expect(before - after).toBe(built.costs.total);
  });

  it('can be signed for about a minute, 150 blocks', async () => {
    const { lastValidBlockHeight, expiresAt } = await world.build({
      ...world.ask,
      kind: 'subscribe',
      view: await world.view(),
    });
    expect(lastValidBlockHeight).toBe(world.net.blockHeight + 150n);
    expect(expiresAt.getTime() - world.net.now().getTime()).toBe(60_000);
  });

  it('uses an authority that stands, and its approval', async () => {
    await subscribe();
    await world.publish();
    const { built, ...payment } = await world.firstPayment();
    expect(built.costs.rent).toEqual({ subscription: 1_969_680n, authority: null, total: 1_969_680n });
    expect(await world.land(payment)).toMatchObject({ kind: 'landed', received: PRICE });
  });

  it('approves again when another app holds the approval', async () => {
    await subscribe();
    await world.publish();
    await approveAnother();
    expect(await world.land(await world.firstPayment())).toMatchObject({ kind: 'landed' });
    expect((await world.view()).source?.delegate).toBe((await world.view()).authority.address);
  });

  it('opens the authority anew after the wallet closed it', async () => {
    await subscribe();
    await world.publish();
    await world.closeAuthority();
    expect((await world.view()).authority.generation).toBeNull();
    world.net.advance({ slots: 5 });
    expect(await world.land(await world.firstPayment())).toMatchObject({ kind: 'landed' });
  });

  it('is refused by a trial run when the wallet has too little, and nothing of it stays', async () => {
    await world.setTokenAccount(wallet.address, { amount: PRICE - 1n });
    const payment = await world.firstPayment();
    const refusal = { kind: 'program', code: 1 };
    expect(await world.chain.simulate(payment.wire)).toEqual({ ok: true, value: refusal });
    expect(await world.land(payment)).toMatchObject({ kind: 'failed', refusal });
    expect((await world.view()).subscription).toBeNull();
  });

  it('short of lamports it is not taken for short of tokens', async () => {
    world.net.setAccount(wallet.address, { lamports: 2_000_000n });
    const payment = await world.firstPayment();
    expect(await world.chain.simulate(payment.wire)).toEqual({
      ok: true,
      value: { kind: 'chain', code: 4615026 },
    });
  });

  it('twice lands once', async () => {
    const first = await world.firstPayment();
    world.net.advance({ slots: 1 });
    const second = await world.firstPayment();
    expect(await world.land(first)).toMatchObject({ kind: 'landed' });
    expect(await world.land(second)).toMatchObject({ kind: 'failed' });
    expect(await world.balance(receiver.address)).toBe(PRICE);
  });
});

describe('charging', () => {
  beforeEach(subscribe);

  it('pays each period once', async () => {
    world.net.advance({ seconds: HOUR });
    expect(await world.land(await world.charge())).toMatchObject({ kind: 'landed', received: PRICE });
    world.net.advance({ slots: 1 });
    expect(await world.land(await world.charge())).toMatchObject(program(400));
    expect(await world.balance(receiver.address)).toBe(2n * PRICE);
    expect((await world.view()).subscription).toMatchObject({ pulled: PRICE });
  });

  it('sent twice it lands once', async () => {
    world.net.advance({ seconds: HOUR });
    const charge = await world.charge();
    expect(await world.chain.send([charge.wire, charge.wire])).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
    expect(await world.outcome(charge)).toMatchObject({ kind: 'landed' });
    expect(await world.balance(receiver.address)).toBe(2n * PRICE);
  });

  it.each([
    ['an emptied wallet', 1, () => world.setTokenAccount(wallet.address, { amount: 0n })],
    ['a revoked approval', 4, disapprove],
    ['an approval given to another app', 4, approveAnother],
    ['a frozen wallet', 17, () => world.changeSource((data) => data.fill(2, 108, 109))],
    ['a closed authority', 103, () => world.closeAuthority()],
    [
      'an authority made anew',
      136,
      async () => {
        await world.closeAuthority();
        world.net.advance({ slots: 5 });
        await world.openAuthority();
      },
    ],
  ])('%s: program_%s', async (_, code, change) => {
    world.net.advance({ seconds: HOUR });
    await change();
    expect(await world.land(await world.charge())).toMatchObject(program(code));
    expect(await world.balance(receiver.address)).toBe(PRICE);
  });

  it('a subscription that is gone: InvalidAccountOwner, by its number', async () => {
    await world.sendAs(wallet, { ...world.ask, kind: 'cancel' });
    world.net.advance({ seconds: HOUR });
    await world.sendAs(wallet, { ...world.ask, kind: 'close', by: 'revoke', payer: wallet.address });
    expect(await world.land(await world.charge())).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'chain', code: 4615047 },
    });
  });

  it("without the receiver's account (110), which the reading finds first", async () => {
    world.net.advance({ seconds: HOUR });
    world.net.setAccount(await world.tokenAccount(receiver.address), { lamports: 0n });
    expect((await world.view()).receiver).toBeNull();
    expect(await world.land(await world.charge())).toMatchObject(program(110));
  });
});

describe('what becomes of a transaction', () => {
  beforeEach(subscribe);

  it('waits, and is absent when its height has passed at finalized and not before', async () => {
    world.net.advance({ seconds: HOUR });
    const charge = await world.charge();
    expect(await world.outcome(charge)).toEqual({ kind: 'waiting' });
    world.net.advance({ slots: 150 + 31 });
    expect(await world.outcome(charge)).toEqual({ kind: 'waiting' });
    world.net.advance({ slots: 1 });
    expect(await world.outcome(charge)).toEqual({ kind: 'not_found' });
  });

  it('is absent still when it is asked for much later', async () => {
    world.net.advance({ seconds: HOUR });
    const charge = await world.charge();
    world.net.advance({ seconds: 24 * HOUR });
    expect(await world.outcome(charge)).toEqual({ kind: 'not_found' });
  });

  it('cannot land once its height has passed', async () => {
    world.net.advance({ seconds: HOUR });
    const charge = await world.charge();
    world.net.advance({ slots: 151 });
    expect(await world.land(charge)).toEqual({ kind: 'waiting' });
    expect(await world.balance(receiver.address)).toBe(PRICE);
  });

  it('stays landed for ever', async () => {
    world.net.advance({ seconds: HOUR });
    const charge = await world.charge();
    const outcome = await world.land(charge);
    world.net.advance({ seconds: 90 * 24 * HOUR });
    expect(await world.outcome(charge)).toEqual(outcome);
  });
});

// cancel-resume-close#build-then-confirm
describe('cancel, resume, close', () => {
  beforeEach(subscribe);
  const close = (by: 'revoke' | 'cancel_and_revoke' | 'revoke_abandoned') =>
    world.sendAs(wallet, { ...world.ask, kind: 'close', by, payer: wallet.address });

  it('a cancellation runs to the end of the period and can be resumed by its expiry', async () => {
    const { periodStart } = (await world.view()).subscription ?? {};
    expect(await world.sendAs(wallet, { ...world.ask, kind: 'cancel' })).toBeNull();
    const expiresAt = (await world.view()).subscription?.expiresAt ?? null;
    expect(expiresAt).toEqual(new Date((periodStart?.getTime() ?? 0) + HOUR * 1000));
    if (expiresAt === null) throw new Error('not cancelled');
    const tooEarly = new Date(expiresAt.getTime() - 1000);
    expect(await world.sendAs(wallet, { ...world.ask, kind: 'resume', expiresAt: tooEarly })).not.toBeNull();
    expect(await world.sendAs(wallet, { ...world.ask, kind: 'resume', expiresAt })).toBeNull();
    expect((await world.view()).subscription?.expiresAt).toBeNull();
  });

  it('a charge past a cancellation is refused (508)', async () => {
    await world.sendAs(wallet, { ...world.ask, kind: 'cancel' });
    world.net.advance({ seconds: HOUR });
    expect(await world.land(await world.charge())).toMatchObject(program(508));
  });

  it('cancelled and expired: revoke gives the rent back', async () => {
    await world.sendAs(wallet, { ...world.ask, kind: 'cancel' });
    expect(await close('revoke')).not.toBeNull();
    world.net.advance({ seconds: HOUR });
    const before = world.net.getAccount(wallet.address)?.lamports ?? 0n;
    expect(await close('revoke')).toBeNull();
    expect((world.net.getAccount(wallet.address)?.lamports ?? 0n) - before).toBe(1_969_680n - 5_000n);
    expect((await world.view('finalized')).subscription).toBeNull();
  });

  it('ended with its plan: cancel and revoke at once', async () => {
    world = await LocalWorld.open(CLASSIC, new Date(world.plan.createdAt.getTime() + 2 * HOUR * 1000));
    await subscribe();
    expect(await close('cancel_and_revoke')).not.toBeNull();
    world.net.advance({ seconds: 3 * HOUR });
    expect(await world.land(await world.charge())).toMatchObject(program(501));
    expect(await close('cancel_and_revoke')).toBeNull();
    expect((await world.view()).subscription).toBeNull();
  });

  it('stopped by a closed authority: revoke_abandoned', async () => {
    expect(await close('revoke_abandoned')).not.toBeNull();
    await world.closeAuthority();
    world.net.advance({ slots: 1 });
    expect(await close('revoke_abandoned')).toBeNull();
    expect((await world.view()).subscription).toBeNull();
  });

  it('costs only the fee of one signature', async () => {
    const { costs } = await world.build({ ...world.ask, kind: 'cancel' });
    expect(costs).toEqual({
      rent: { subscription: 0n, authority: null, total: 0n },
      fee: { signatures: 1, perSignature: 5_000n, priority: 0n, total: 5_000n },
      total: 5_000n,
    });
  });
});

// coming-back#who-can-come-back
describe('coming back', () => {
  it('pays the current period over the subscription that stands, approving again when it must', async () => {
    await subscribe();
    await disapprove();
    world.net.advance({ seconds: 5 * HOUR + 10 });
    const anchor = (await world.view()).subscription?.periodStart.getTime() ?? 0;
    const { built, ...payment } = await world.firstPayment('comeback');
    expect(built.costs.rent).toEqual({ subscription: 0n, authority: null, total: 0n });
    expect(await world.land(payment)).toMatchObject({ kind: 'landed', received: PRICE });
    expect((await world.view()).subscription).toMatchObject({
      periodStart: new Date(anchor + 5 * HOUR * 1000),
      pulled: PRICE,
    });
  });
});

it("the chain's head is the chain's own", async () => {
  world.net.advance({ seconds: 77 });
  expect(await world.chain.head()).toEqual({
    ok: true,
    value: { slot: world.net.clock.slot, blockHeight: world.net.blockHeight, time: world.net.now() },
  });
});

it("a wallet's signature names its transaction before the charger has signed", async () => {
  const built = await world.build({ ...world.ask, kind: 'subscribe', view: await world.view() });
  const submitted = await signed(built.transaction, wallet);
  const { signature } = await world.chain.cosign(submitted, built.lastValidBlockHeight);
  expect(world.chain.signatureOf(submitted)).toBe(signature);
});
