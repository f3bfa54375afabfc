import { type Address, address } from '@solana/kit';
import { bytes, i64, key } from './instruction-builders.js';
import { START } from './test-chain.js';
import { type Fault, account, changed, missing, patched, tooFew } from './check-order.js';
import { setMint, setTokenAccount } from './token-setup.js';
import { A, B, M, MINT, NOT_CANONICAL, OTHER_MINT, PRICE, type World } from './fixtures.js';

// Parts of the check order scenarios: a world that has every wrong account, and the faults that several
// instructions have.

export const MALFORMED = address('eh7tKbwn22FLhAdFwYL2Dqsy3AmQfFdRZ9QFQpj1qL2');
const UNINITIALISED_MINT = address('g35TxFqwMx95vCk63fTxGTHb6ei4W24qg5t2x6xD3cT');
export const PAST = START.now - 1n;

export const subscription = (w: World): Address => w.subscription();
export const plan = (w: World): Address => w.plan();
export const authority = (w: World): Address => w.authority();
export const copyOfAuthority = (w: World): Address => w.plan(7n);

/**
 * Adds wrong accounts to a world: a second mint, an uninitialised mint, B's accounts like A's, a token
 * account of A that is no ATA, and a malformed token account.
 */
export function withWrongAccounts(w: World): World {
  const { chain, kind } = w;
  setMint(chain, { address: OTHER_MINT, authority: M, kind, isInitialized: true });
  setMint(chain, { address: UNINITIALISED_MINT, authority: M, kind, isInitialized: false });
  for (const wallet of [A, M, B]) w.setAssociated(wallet, { amount: PRICE, mint: OTHER_MINT });
  w.giveTokens(B, PRICE);
  setTokenAccount(chain, {
    address: NOT_CANONICAL,
    mint: MINT,
    owner: A,
    amount: PRICE,
    kind,
    isFrozen: false,
  });
  chain.write(MALFORMED, { ...chain.read(NOT_CANONICAL), data: bytes(1) });
  w.ok(w.init({ user: B }));
  w.ok(w.init({ mint: OTHER_MINT }));
  return w;
}

export const cutTo = (of: (w: World) => Address, size: number) =>
  changed((w) => w.chain.write(of(w), { ...w.chain.read(of(w)), data: w.data(of(w)).slice(0, size) }));

export const tooFewByOne: Fault = [113, tooFew];
export const uninitialisedMint = (place: number): Fault => [106, account(place, () => UNINITIALISED_MINT)];
export const otherKindOfPlan: Fault = [117, patched(plan, 0, () => bytes(3))];
export const otherKindOfSubscription: Fault = [117, patched(subscription, 0, () => bytes(3))];
export const newerVersion: Fault = [133, patched(subscription, 1, () => bytes(2))];
export const subscribedToAnother: Fault = [505, patched(subscription, 35, () => key(B))];
export const otherGeneration: Fault = [136, patched(subscription, 99, () => i64(1n))];
export const eventAccounts = (place: number): readonly Fault[] => [
  [600, missing(place)],
  [604, missing(place + 1)],
];

/** A mint with a list of extensions whose first entry runs past the end. */
export function brokenList(mintData: Uint8Array): Uint8Array {
  const kind = 1;
  return bytes(mintData, new Uint8Array(165 - mintData.length), kind, 3, 0, 32, 0);
}
