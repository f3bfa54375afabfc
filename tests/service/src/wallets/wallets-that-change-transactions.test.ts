import { AccountRole, type Instruction, type KeyPairSigner, address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signMessage } from '@subrail/localnet';
import {
  type IssuedCheckout,
  PRICE,
  type TestWorld,
  WALLETS,
  WALLET_PROGRAMS,
  type Wallet,
  freshTransaction,
  guard,
  issueCheckout,
  memo,
  openTestWorld,
  signAs,
  signatureOf,
  statusAndCode,
  submitCheckout,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ programs: WALLET_PROGRAMS });
  wallet = await world.wallet(10n * PRICE);
});
afterEach(() => world.close());

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
it.each<[string, (wallet: KeyPairSigner) => Pick<Wallet, 'changes'>]>([
  [
    'a guard that does not hold',
    ({ address: of }) => ({ changes: (built) => [...built, guard(of, 1n << 60n)] }),
  ],
])('%s is found before the transaction is sent, and a fresh one can be paid', async (_, habit) => {
  const checkout = await issueCheckout(world, wallet);
  const { answer } = await submitAs(habit(wallet), checkout);
  expect(statusAndCode(answer)).toBe('409 transaction_refused');
  expect(await world.holding(wallet)).toBe(10n * PRICE);
  const { body } = await freshTransaction(world, checkout);
  const fresh = { ...checkout, transaction: String(body['transaction']) };
  expect(statusAndCode(await submitCheckout(world, wallet, fresh))).toBe('201');
});
