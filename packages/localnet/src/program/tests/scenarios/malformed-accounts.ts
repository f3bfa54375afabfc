import { bytes, i64, u64 } from '../instruction-builders.js';
import { SPL, setMint, setTokenAccount, token2022 } from '../token-setup.js';
import { PAUSABLE } from '../mint-kinds.js';
import { A, B, M, MINT, OTHER_MINT, type Fixtures, type World, scenario } from '../fixtures.js';

const AMOUNT = 1n;
const PERIOD_IN_PLAN = 83;
const PERIOD_IN_SUBSCRIPTION = 115;

function subscribedAndCancelled(fixtures: Fixtures): World {
  const w = fixtures.subscribed();
  w.ok(w.cancel());
  return w;
}

function lengthen(w: World, account: ReturnType<World['plan']>): void {
  const state = w.chain.read(account);
  w.chain.write(account, { ...state, data: bytes(state.data, 0) });
}

/** Accounts and numbers that the program itself never writes. */
export const malformedAccountScenarios = [
  // program#account-loading-errors
  scenario('a plan of another length is refused with 111, of another kind with 117', (fixtures) => {
    const w = subscribedAndCancelled(fixtures);
    const all = () => [w.pull(AMOUNT), w.resume(), w.updatePlan(), w.subscribe({ subscriber: A })];
    const intact = all();
    w.patch(w.plan(), 0, bytes(3));
    for (const one of intact) w.fails(117, one);
    lengthen(w, w.plan());
    for (const one of intact) w.fails(111, one);
  }),

  // program#account-loading-errors
  scenario(
    'an authority of another kind is refused with 117, so that it allows no pull and cannot be closed',
    (fixtures) => {
      const w = subscribedAndCancelled(fixtures);
      const all = [w.subscribe(), w.pull(AMOUNT), w.resume(), w.closeAuthority()];
      w.patch(w.authority(), 0, bytes(1));
      for (const one of all) w.fails(117, one);
    },
  ),

  // program#account-loading-errors
  scenario('a subscription of one byte is refused with 111, of another kind with 117', (fixtures) => {
    const w = fixtures.subscribed();
    const state = w.chain.read(w.subscription());
    const all = [w.cancel(), w.cancelNow(), w.pull(AMOUNT)];
    w.patch(w.subscription(), 0, bytes(3));
    for (const one of [...all, w.revokeAbandoned()]) w.fails(117, one);
    w.chain.write(w.subscription(), { ...state, data: bytes(4) });
    for (const one of [...all, w.revokeAbandoned()]) w.fails(111, one);
    w.chain.write(w.subscription(), { ...state, data: state.data.slice(0, 154) });
    for (const one of all) w.fails(111, one);
  }),

  // program#resume-subscription
  scenario(
    "resume with B's authority is refused with 130, with the authority of another mint with 125",
    (fixtures) => {
      const w = subscribedAndCancelled(fixtures);
      w.giveTokens(B, 1n);
      w.ok(w.init({ user: B }));
      w.fails(130, w.resume({ authority: w.authority(B) }));
      setMint(w.chain, { address: OTHER_MINT, authority: M, kind: SPL, isInitialized: true });
      w.setAssociated(A, { amount: 1n, mint: OTHER_MINT });
      w.ok(w.init({ mint: OTHER_MINT }));
      w.fails(125, w.resume({ authority: w.authority(A, OTHER_MINT) }));
    },
  ),

  // program#revoke-abandoned-subscription
  scenario('revoke_abandoned under another plan is refused with 505', (fixtures) => {
    const w = fixtures.subscribed();
    w.fails(505, w.revokeAbandoned({ plan: w.plan(2n), subscription: w.subscription() }));
  }),

  // program#close-subscription-authority
  scenario('closing an authority at an address that is not its PDA is refused with 103', (fixtures) => {
    const w = fixtures.planned();
    w.chain.write(w.plan(7n), w.chain.read(w.authority()));
    w.fails(103, w.closeAuthority({ authority: w.plan(7n) }));
  }),

  // program#revoke-subscription-authority
  scenario("revoke_subscription_authority with B's token account is refused with 130", (fixtures) => {
    const w = fixtures.planned();
    w.giveTokens(B, 1n);
    w.fails(130, w.revokeAuthority({ tokenAccount: w.tokenAccount(B) }));
  }),

  // program#shared-account-checks
  scenario(
    'a Token-2022 mint that is uninitialised or has the kind of an account is refused with 106',
    (fixtures) => {
      const w = fixtures.bare(PAUSABLE);
      w.patch(MINT, 165, bytes(2));
      w.fails(106, w.init());
      w.patch(MINT, 165, bytes(1));
      w.patch(MINT, 45, bytes(0));
      w.fails(106, w.init());
    },
  ),

  // program#shared-account-checks
  scenario(
    'a Token-2022 receiver of an SPL mint is refused with 105, one with the kind of a mint with 107',
    (fixtures) => {
      const w = fixtures.subscribed();
      const receiver = w.tokenAccount(B);
      const kind = token2022();
      setTokenAccount(w.chain, {
        address: receiver,
        mint: MINT,
        owner: B,
        amount: 0n,
        kind,
        isFrozen: false,
      });
      w.fails(105, w.pull(AMOUNT, { receiver }));
      w.patch(receiver, 165, bytes(1));
      w.fails(107, w.pull(AMOUNT, { receiver }));
    },
  ),

  // program#transfer-subscription
  scenario('a period that overflows is refused with 115 in a pull and a cancellation', (fixtures) => {
    const w = fixtures.subscribed();
    w.patch(w.plan(), PERIOD_IN_PLAN, u64(2n ** 61n));
    w.patch(w.subscription(), PERIOD_IN_SUBSCRIPTION, u64(2n ** 61n));
    w.fails(115, w.pull(AMOUNT));
    w.fails(115, w.cancel());

    const longest = (2n ** 63n - 1n) / 3600n;
    w.patch(w.plan(), PERIOD_IN_PLAN, i64(longest));
    w.patch(w.subscription(), PERIOD_IN_SUBSCRIPTION, i64(longest));
    w.fails(115, w.cancel());
  }),

  // program#transfer-subscription
  scenario('a period of 0 hours is refused with 402 in a pull, and halts a cancellation', (fixtures) => {
    const w = fixtures.subscribed();
    w.patch(w.plan(), PERIOD_IN_PLAN, u64(0n));
    w.patch(w.subscription(), PERIOD_IN_SUBSCRIPTION, u64(0n));
    w.fails(402, w.pull(AMOUNT));
    w.fails('ProgramFailedToComplete', w.cancel());
  }),

  // program#transfer-subscription
  scenario('a pull from a subscription with more pulled than the price is refused with 116', (fixtures) => {
    const w = fixtures.subscribed();
    w.patch(w.subscription(), 131, u64(50_000_001n));
    w.fails(116, w.pull(AMOUNT));
  }),
];
