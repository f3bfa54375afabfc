import { beforeEach, describe, expect, it } from 'vitest';
import { CLASSIC, HOUR, LocalWorld, PRICE, receiver, wallet } from './local-world.js';

let world: LocalWorld;
beforeEach(async () => {
  world = await LocalWorld.open();
});

const subscribe = async () => world.land(await world.firstPayment());
const program = (code: number) => ({ kind: 'failed', refusal: { kind: 'program', code } });

/** Revokes the approval, as a wallet can without the program. */
const revokeApproval = () =>
  world.changeSource((data) => {
    data.fill(0, 72, 108);
    data.fill(0, 121, 129);
  });

/** Gives the one approval of the token account to another app. */
const approveAnother = () =>
  world.changeSource((data) => {
    data.set([1, 0, 0, 0, ...new Uint8Array(32).fill(8)], 72);
  });

// program#first-payment-transaction
describe('subscribing with the first payment', () => {
  it('opens the authority, subscribes and pays in one transaction', async () => {
    const payment = await world.firstPayment();
    expect(await world.chain.simulate(payment.wire)).toEqual({ ok: true, value: null });
    const { slot } = world.net.clock;
    expect(await world.land(payment)).toEqual({
      kind: 'landed',
      slot,
      time: world.net.now(),
      received: PRICE,
      lamports: 10_000n,
    });
    const view = await world.view();
    expect(view.subscription).toMatchObject({ pulled: PRICE, payer: wallet.address, expiresAt: null });
    expect(view.subscription?.generation).toBe(view.authority.generation);
    expect(view.subscription?.periodStart).toEqual(view.time);
    expect(view.source).toMatchObject({ delegate: view.authority.address, balance: 9n * PRICE });
    expect(await world.balance(receiver.address)).toBe(PRICE);
  });

  // checkout#costs-of-a-checkout
  // program#rent
  // program#network-fee-and-compute-units
  it('states the exact costs before it is sent', async () => {
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

  // program#blockhash-lifetime
  // checkout#estimated-expiry-of-a-transaction
  it('can land for 150 blocks, about a minute, and should be submitted 30 seconds before', async () => {
    const { lastValidBlockHeight, expiresAt } = await world.build({
      ...world.target,
      kind: 'subscribe',
      view: await world.view(),
    });
    // The newest confirmed block is the one before the open one.
    expect(lastValidBlockHeight).toBe(world.net.blockHeight - 1n + 150n);
    expect(expiresAt.getTime() - world.net.now().getTime()).toBe(30_000);
  });

  it('uses an open authority and its approval', async () => {
    await subscribe();
    await world.publish();
    const { built, ...payment } = await world.firstPayment();
    expect(built.costs.rent).toEqual({ subscription: 1_969_680n, authority: null, total: 1_969_680n });
    expect(await world.land(payment)).toMatchObject({ kind: 'landed', received: PRICE });
  });

  // program#token-approval
  it('approves again when another app holds the approval', async () => {
    await subscribe();
    await world.publish();
    await approveAnother();
    expect(await world.land(await world.firstPayment())).toMatchObject({ kind: 'landed' });
    expect((await world.view()).source?.delegate).toBe((await world.view()).authority.address);
  });

  // program#authority-generations
  it('opens the authority again after the wallet closed it', async () => {
    await subscribe();
    await world.publish();
    await world.closeAuthority();
    expect((await world.view()).authority.generation).toBeNull();
    world.net.advance({ slots: 5 });
    expect(await world.land(await world.firstPayment())).toMatchObject({ kind: 'landed' });
  });

  // program#simulation-and-preflight
  // program#atomicity
  it('is refused by the simulation when the wallet has too few tokens, and leaves nothing behind', async () => {
    await world.setTokenAccount(wallet.address, { amount: PRICE - 1n });
    const payment = await world.firstPayment();
    const refusal = { kind: 'program', code: 1 };
    const cause = 'the wallet has fewer tokens than the payment takes';
    expect(await world.chain.simulate(payment.wire)).toEqual({ ok: true, value: { ...refusal, cause } });
    expect(await world.land(payment)).toMatchObject({ kind: 'failed', refusal });
    expect((await world.view()).subscription).toBeNull();
  });

  // program#failure-classification
  it('distinguishes a lack of lamports from a lack of tokens', async () => {
    world.net.setAccount(wallet.address, { lamports: 2_000_000n });
    const payment = await world.firstPayment();
    expect(await world.chain.simulate(payment.wire)).toEqual({
      ok: true,
      value: { kind: 'chain', code: 4615026, cause: 'the wallet has too little SOL for fees and rent' },
    });
  });

  it('lands once when it is built twice', async () => {
    const first = await world.firstPayment();
    world.net.advance({ slots: 1 });
    const second = await world.firstPayment();
    expect(await world.land(first)).toMatchObject({ kind: 'landed' });
    expect(await world.land(second)).toMatchObject({ kind: 'failed' });
    expect(await world.balance(receiver.address)).toBe(PRICE);
  });
});

describe('a scheduled charge', () => {
  beforeEach(subscribe);

  // invariants#one-payment-per-period
  it('pays each period once', async () => {
    world.net.advance({ seconds: HOUR });
    expect(await world.land(await world.charge())).toMatchObject({ kind: 'landed', received: PRICE });
    world.net.advance({ slots: 1 });
    expect(await world.land(await world.charge())).toMatchObject(program(400));
    expect(await world.balance(receiver.address)).toBe(2n * PRICE);
    expect((await world.view()).subscription).toMatchObject({ pulled: PRICE });
  });

  // program#charge-failures-and-their-causes
  it.each([
    ['an emptied wallet', 1, () => world.setTokenAccount(wallet.address, { amount: 0n })],
    ['a revoked approval', 4, revokeApproval],
    ['an approval given to another app', 4, approveAnother],
    ['a frozen wallet', 17, () => world.changeSource((data) => data.fill(2, 108, 109))],
    ['a closed authority', 103, () => world.closeAuthority()],
    [
      'an authority opened again',
      136,
      async () => {
        await world.closeAuthority();
        world.net.advance({ slots: 5 });
        await world.openAuthority();
      },
    ],
    [
      'an expired cancellation',
      508,
      async () => {
        await world.sendAs(wallet, { ...world.target, kind: 'cancel' });
        world.net.advance({ seconds: HOUR });
      },
    ],
  ])('fails for %s with program_%s', async (_, code, change) => {
    world.net.advance({ seconds: HOUR });
    await change();
    expect(await world.land(await world.charge())).toMatchObject(program(code));
    expect(await world.balance(receiver.address)).toBe(PRICE);
  });

  // billing-periods#late-payment-keeps-the-grid, program#period-arithmetic
  it('pays the period it lands in, and keeps the billing grid when it is late', async () => {
    const anchor = (await world.view()).subscription?.periodStart.getTime() ?? 0;
    world.net.advance({ seconds: HOUR + HOUR / 2 });
    expect(await world.land(await world.charge())).toMatchObject({ kind: 'landed', received: PRICE });
    expect((await world.view()).subscription?.periodStart).toEqual(new Date(anchor + HOUR * 1000));
    world.net.advance({ seconds: HOUR / 2 });
    expect(await world.land(await world.charge())).toMatchObject({ kind: 'landed', received: PRICE });
    expect((await world.view()).subscription?.periodStart).toEqual(new Date(anchor + 2 * HOUR * 1000));
  });

  // billing-periods#payment-past-a-boundary, program#chain-clock
  it('pays the later period when it lands past a boundary', async () => {
    const anchor = (await world.view()).subscription?.periodStart.getTime() ?? 0;
    world.net.advance({ seconds: 2 * HOUR - 10 });
    const charge = await world.charge();
    world.net.advance({ seconds: 20 });
    expect(await world.land(charge)).toMatchObject({ kind: 'landed', received: PRICE });
    const { periodStart, pulled } = (await world.view()).subscription ?? {};
    expect(periodStart).toEqual(new Date(anchor + 2 * HOUR * 1000));
    expect(pulled).toBe(PRICE);
  });

  it('fails for a closed subscription with the number of InvalidAccountOwner', async () => {
    await world.sendAs(wallet, { ...world.target, kind: 'cancel' });
    world.net.advance({ seconds: HOUR });
    await world.sendAs(wallet, { ...world.target, kind: 'close', by: 'revoke', payer: wallet.address });
    expect(await world.land(await world.charge())).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'chain', code: 4615047 },
    });
  });

  // attempts#receiver-account
  it('fails without the receiver’s account (110), which the read finds first', async () => {
    world.net.advance({ seconds: HOUR });
    world.net.setAccount(await world.tokenAccount(receiver.address), { lamports: 0n });
    expect((await world.view()).receiver).toBeNull();
    expect(await world.land(await world.charge())).toMatchObject(program(110));
  });
});

describe('the outcome of a charge', () => {
  beforeEach(subscribe);

  // program#blockhash-lifetime
  it('is waiting until its height has passed at finalized, and then not found', async () => {
    world.net.advance({ seconds: HOUR });
    const charge = await world.charge();
    expect(await world.outcome(charge)).toEqual({ kind: 'waiting' });
    world.net.advance({ slots: 150 + 30 });
    expect(await world.outcome(charge)).toEqual({ kind: 'waiting' });
    world.net.advance({ slots: 1 });
    expect(await world.outcome(charge)).toEqual({ kind: 'not_found' });
  });
});

// cancel-resume-close#build-then-confirm
describe('cancel, resume and close', () => {
  beforeEach(subscribe);
  const close = (by: 'revoke' | 'cancel_and_revoke' | 'revoke_abandoned') =>
    world.sendAs(wallet, { ...world.target, kind: 'close', by, payer: wallet.address });

  // program#cancellation-expiry, program#cancel-subscription, program#resume-subscription
  it('cancels at the end of the period, and resumes by that expiry', async () => {
    const { periodStart } = (await world.view()).subscription ?? {};
    expect(await world.sendAs(wallet, { ...world.target, kind: 'cancel' })).toBeNull();
    const expiresAt = (await world.view()).subscription?.expiresAt ?? null;
    expect(expiresAt).toEqual(new Date((periodStart?.getTime() ?? 0) + HOUR * 1000));
    if (expiresAt === null) throw new Error('not cancelled');
    const tooEarly = new Date(expiresAt.getTime() - 1000);
    expect(
      await world.sendAs(wallet, { ...world.target, kind: 'resume', expiresAt: tooEarly }),
    ).not.toBeNull();
    expect(await world.sendAs(wallet, { ...world.target, kind: 'resume', expiresAt })).toBeNull();
    expect((await world.view()).subscription?.expiresAt).toBeNull();
  });

  // program#close-transactions, program#revoke-delegation
  it('revokes a cancelled and expired subscription, and returns the rent', async () => {
    await world.sendAs(wallet, { ...world.target, kind: 'cancel' });
    expect(await close('revoke')).not.toBeNull();
    world.net.advance({ seconds: HOUR });
    const before = world.net.getAccount(wallet.address)?.lamports ?? 0n;
    expect(await close('revoke')).toBeNull();
    expect((world.net.getAccount(wallet.address)?.lamports ?? 0n) - before).toBe(1_969_680n - 5_000n);
    expect((await world.view('finalized')).subscription).toBeNull();
  });

  // program#close-transactions, program#plan-end-and-sunset
  it('cancels and revokes in one transaction after the plan ended', async () => {
    world = await LocalWorld.open(CLASSIC, new Date(world.plan.createdAt.getTime() + 2 * HOUR * 1000));
    await subscribe();
    expect(await close('cancel_and_revoke')).not.toBeNull();
    world.net.advance({ seconds: 3 * HOUR });
    expect(await world.land(await world.charge())).toMatchObject(program(501));
    expect(await close('cancel_and_revoke')).toBeNull();
    expect((await world.view()).subscription).toBeNull();
  });

  // program#revoke-abandoned-subscription
  it('revokes an abandoned subscription after the authority was closed', async () => {
    expect(await close('revoke_abandoned')).not.toBeNull();
    await world.closeAuthority();
    world.net.advance({ slots: 1 });
    expect(await close('revoke_abandoned')).toBeNull();
    expect((await world.view()).subscription).toBeNull();
  });
});

// coming-back#who-can-come-back
// program#comeback-transaction
describe('a comeback', () => {
  it('pays the current period of the existing subscription, and approves again when the approval is gone', async () => {
    await subscribe();
    await revokeApproval();
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

it('returns the newest confirmed slot, its height and the time of the chain as its head', async () => {
  world.net.advance({ seconds: 77 });
  expect(await world.chain.head()).toEqual({
    ok: true,
    value: {
      slot: world.net.clock.slot - 1n,
      blockHeight: world.net.blockHeight - 1n,
      time: world.net.now(),
    },
  });
});
