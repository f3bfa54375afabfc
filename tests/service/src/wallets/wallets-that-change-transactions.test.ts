// Heavy: each way of a wallet has its own service and chain.

import {
  AccountRole,
  type Base64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  address,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit';
import { getSetComputeUnitLimitInstruction } from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, it } from 'vitest';
import { createHandler } from '@subrail/core';
import { sendTransaction, signMessage } from '@subrail/localnet';
import {
  ASSERTION_FAILED,
  type Action,
  type ApiAnswer,
  DAY,
  type IssuedCheckout,
  PRICE,
  type TestWorld,
  WALLETS,
  WALLET_PROGRAMS,
  type Wallet,
  actionsOf,
  freshTransaction,
  guard,
  issueCheckout,
  memo,
  missSecondMonth,
  openTestWorld,
  signAs,
  signatureOf,
  statusAndCode,
  submitCheckout,
  withoutBudget,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ programs: WALLET_PROGRAMS });
  wallet = await world.wallet(10n * PRICE);
});

const latestBlockhash = async () => (await world.rpc.getLatestBlockhash().send()).value.blockhash;

/** Submits a checkout as a wallet signs it. */
async function submitAs(habit: Pick<Wallet, 'changes' | 'readsBlockhash'>, checkout: IssuedCheckout) {
  const transaction = await signAs(habit, wallet, checkout.transaction, latestBlockhash);
  const terms_signature = await signMessage(wallet, checkout.terms.message);
  const answer = await world.call('POST', `/subscriptions/${checkout.subscription.id}/submit`, {
    transaction,
    terms_signature,
  });
  return { answer, transaction, terms_signature };
}

// checkout#guests, checkout#own-blockhash
describe.each(WALLETS)('a wallet that $name', (habit) => {
  it('subscribes, pays once, and what it signed is on record', async () => {
    const checkout = await issueCheckout(world, wallet);
    world.advance(10_000);
    const { answer, transaction, terms_signature } = await submitAs(habit, checkout);
    expect(statusAndCode(answer)).toBe('201');
    expect(answer.body['subscription']).toMatchObject({ status: 'active', access: true });
    expect(await world.holding(wallet)).toBe(9n * PRICE);
    expect(await world.events()).toEqual(['created', 'access_granted']);

    const transfer = await world.store.findTransferBySignature(signatureOf(transaction), 0);
    expect(transfer).toMatchObject({ state: 'landed', amount: PRICE, kind: 'subscribe' });
    const kept = Buffer.from(transfer?.wire ?? '', 'base64');
    // The charger's signature is the second one; everything else is as the wallet signed it.
    const signed = Buffer.from(transaction, 'base64');
    expect(kept.subarray(129)).toEqual(signed.subarray(129));
    // Asked again, it is answered from the record.
    const path = `/subscriptions/${checkout.subscription.id}/submit`;
    expect(statusAndCode(await world.call('POST', path, { transaction, terms_signature }))).toBe('201');
    expect(await world.holding(wallet)).toBe(9n * PRICE);
  });
});

// checkout#own-blockhash
describe('a blockhash that the wallet put in', () => {
  it('is waited for as long as it can land, and not longer', async () => {
    const checkout = await issueCheckout(world, wallet);
    world.advance(30_000);
    const { transaction } = await submitAs({ changes: (same) => same, readsBlockhash: true }, checkout);
    const transfer = await world.store.findTransferBySignature(signatureOf(transaction), 0);
    const { lastValidBlockHeight } = (await world.rpc.getLatestBlockhash().send()).value;
    expect(transfer?.lastValidBlockHeight).toBeGreaterThanOrEqual(lastValidBlockHeight - 40n);
    expect(transfer?.lastValidBlockHeight).toBeLessThanOrEqual(lastValidBlockHeight);
  });

  it('is accepted after the one that was built has expired', async () => {
    const checkout = await issueCheckout(world, wallet);
    world.advance(2 * 60_000);
    const asBuilt = await submitAs({ changes: (same) => same }, checkout);
    expect(statusAndCode(asBuilt.answer)).toBe('409 transaction_expired');
    const { answer } = await submitAs({ changes: (same) => same, readsBlockhash: true }, checkout);
    expect(statusAndCode(answer)).toBe('201');
  });

  it('is refused when the chain does not know it, and nothing is spent', async () => {
    const checkout = await issueCheckout(world, wallet);
    const unknown = async () => (await latestBlockhash()).replace(/^./, 'A') as never;
    const terms_signature = await signMessage(wallet, checkout.terms.message);
    const transaction = await signAs(
      { changes: (same) => same, readsBlockhash: true },
      wallet,
      checkout.transaction,
      unknown,
    );
    const path = `/subscriptions/${checkout.subscription.id}/submit`;
    const answer = await world.call('POST', path, { transaction, terms_signature });
    expect(statusAndCode(answer)).toBe('409 transaction_expired');
    expect(statusAndCode(await submitCheckout(world, wallet, checkout))).toBe('201');
  });
});

// checkout#guests
describe('what is no guest is refused before the charger signs, and the checkout goes on', () => {
  const system = address('11111111111111111111111111111111');
  const charger = () => world.charger.address;
  /** How often the charger was asked to sign. */
  let cosignatures: number;

  beforeEach(() => {
    cosignatures = 0;
    world.injectFaults((chain) => ({
      cosign(...submitted) {
        cosignatures += 1;
        return chain.cosign(...submitted);
      },
    }));
  });

  it.each<[string, () => Instruction]>([
    [
      'a transfer from the charger',
      () =>
        getTransferSolInstruction({ source: world.charger, destination: wallet.address, amount: 1_000_000n }),
    ],
    [
      'a transfer of the wallet itself',
      () => getTransferSolInstruction({ source: wallet, destination: world.owner.address, amount: 1n }),
    ],
    ['a guard on the charger', () => guard(charger(), 1n)],
    ['a memo that the charger signs', () => memo('hello', charger())],
    [
      'a memo about an account that is written',
      () => ({ ...memo('hello'), accounts: [{ address: system, role: AccountRole.WRITABLE }] }),
    ],
    ['a memo that another wallet signs', () => memo('hello', world.owner.address)],
  ])('%s', async (_, added) => {
    const checkout = await issueCheckout(world, wallet);
    const before = await world.rpc.getBalance(charger()).send();
    const { answer } = await submitAs({ changes: (built) => [...built, added()] }, checkout);
    expect(statusAndCode(answer)).toBe('400 not_our_transaction');
    expect(cosignatures).toBe(0);
    expect(await world.rpc.getBalance(charger()).send()).toMatchObject({ value: before.value });
    expect(statusAndCode(await submitCheckout(world, wallet, checkout))).toBe('201');
    expect(cosignatures).toBe(1);
  });

  // checkout#which-transaction-can-be-submitted
  it('the same instructions in a legacy transaction, which is named', async () => {
    const checkout = await issueCheckout(world, wallet);
    const built = getTransactionDecoder().decode(getBase64Encoder().encode(checkout.transaction));
    const message = getCompiledTransactionMessageDecoder().decode(built.messageBytes);
    if (message.version !== 0) throw new Error('The transaction that was built is not of version 0.');
    const { addressTableLookups: _, ...rest } = message;
    const messageBytes = getCompiledTransactionMessageEncoder().encode({ ...rest, version: 'legacy' });
    const transaction = getBase64EncodedWireTransaction({ ...built, messageBytes: messageBytes as never });
    const refused = await submitCheckout(world, wallet, { ...checkout, transaction });
    expect(statusAndCode(refused)).toBe('400 not_our_transaction');
    expect(refused.body['message']).toContain('This is a legacy transaction');
    expect(cosignatures).toBe(0);
    expect(statusAndCode(await submitCheckout(world, wallet, checkout))).toBe('201');
  });

  it('nine guests', async () => {
    const checkout = await issueCheckout(world, wallet);
    const nine = Array.from({ length: 9 }, (_, index) => memo(`${index}`));
    const { answer } = await submitAs({ changes: (built) => [...built, ...nine] }, checkout);
    expect(statusAndCode(answer)).toBe('400 not_our_transaction');
    expect(answer.body['message']).toContain('at most eight');
    expect(cosignatures).toBe(0);
    const eight = await submitAs({ changes: (built) => [...built, ...nine.slice(1)] }, checkout);
    expect(statusAndCode(eight.answer)).toBe('201');
  });
});

// checkout#simulation-before-sending
it.each<[string, (wallet: KeyPairSigner) => Pick<Wallet, 'changes'>, string]>([
  [
    'a guard that does not hold',
    ({ address: of }) => ({ changes: (built) => [...built, guard(of, 1n << 60n)] }),
    `a guard that the wallet added does not hold (Lighthouse, error ${ASSERTION_FAILED})`,
  ],
  [
    'a compute limit that is too low',
    () => ({
      changes: (built) => [getSetComputeUnitLimitInstruction({ units: 1_000 }), ...withoutBudget(built)],
    }),
    'it needs more than its limit of compute units',
  ],
])('%s is found before the transaction is sent, and a fresh one can be paid', async (_, habit, cause) => {
  const checkout = await issueCheckout(world, wallet);
  const { answer } = await submitAs(habit(wallet), checkout);
  expect(statusAndCode(answer)).toBe('409 transaction_refused');
  expect(answer.body['message']).toContain(`The chain would refuse this transaction: ${cause}.`);
  expect(world.log.entries).toContainEqual({
    level: 'info',
    facts: expect.objectContaining({ subscription: checkout.subscription.id, cause }) as object,
    message: 'The chain would refuse the transaction of a checkout, so it was not sent.',
  });
  expect(await world.holding(wallet)).toBe(10n * PRICE);
  const { body } = await freshTransaction(world, checkout);
  const fresh = { ...checkout, transaction: String(body['transaction']) };
  expect(statusAndCode(await submitCheckout(world, wallet, fresh))).toBe('201');
});

// checkout#guests, cancel-resume-close#chain-state-decides-a-confirm, cancel-page#transactions-that-are-sent
describe('a wallet that does all of it at once changes', () => {
  const habit = WALLETS.find(({ name }) => name === 'does all of it at once') as Wallet;

  const subscribed = () => world.subscribe(wallet);
  const cancelled = async () => {
    const id = await subscribed();
    await actionsOf(world, wallet, id).act('cancel');
    return id;
  };
  const ended = async () => {
    const id = await cancelled();
    world.advance(30 * DAY);
    await world.work();
    return id;
  };

  /** The wallet sends what it signed itself. */
  const sends = (_: string, transaction: string) =>
    sendTransaction(world.rpc, transaction as Base64EncodedWireTransaction);
  /** The cancel page hands over what the wallet signed. */
  async function submits(id: string, transaction: string): Promise<void> {
    const answer = await createHandler(world.billing, { walletRoutes: true })(
      new Request(`http://subrail.test/wallet/v1/${wallet.address}/subscriptions/${id}/submit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ transaction }),
      }),
    );
    expect(answer.status).toBe(201);
  }

  async function act(
    action: Action,
    id: string,
    lets: (id: string, transaction: string) => Promise<unknown>,
  ) {
    const { build, confirm } = actionsOf(world, wallet, id);
    world.advance(1_000);
    const { body } = await build(action);
    world.advance(1_000);
    const transaction = await signAs(habit, wallet, String(body['transaction']), latestBlockhash);
    expect(transaction.length).toBeGreaterThan(String(body['transaction']).length);
    await lets(id, transaction);
    return confirm(action, signatureOf(transaction));
  }

  it.each<[string, () => Promise<ApiAnswer>, object]>([
    [
      'a comeback',
      async () => {
        await missSecondMonth(world, wallet, 3);
        return (await submitAs(habit, await issueCheckout(world, wallet))).answer;
      },
      { status: 'active', access: true },
    ],
    ['a cancel that it sends', async () => act('cancel', await subscribed(), sends), { status: 'cancelled' }],
    [
      'a cancel for the page',
      async () => act('cancel', await subscribed(), submits),
      { status: 'cancelled' },
    ],
    ['a resume that it sends', async () => act('resume', await cancelled(), sends), { status: 'active' }],
    ['a resume for the page', async () => act('resume', await cancelled(), submits), { status: 'active' }],
    ['a close that it sends', async () => act('close', await ended(), sends), { end_reason: 'closed' }],
    ['a close for the page', async () => act('close', await ended(), submits), { end_reason: 'closed' }],
  ])('%s, and it settles', async (_, change, subscription) => {
    const answer = await change();
    expect(statusAndCode(answer)).toBe('201');
    expect(answer.body['subscription']).toMatchObject(subscription);
  });
});
