import { address } from '@solana/kit';
import { expect } from 'vitest';
import { bytes } from '../instruction-builders.js';
import { HOOK_PROGRAM, HOOK_REFUSAL } from '../hook-elf.js';
import { setHookAccounts } from '../hook-accounts.js';
import * as mints from '../mint-kinds.js';
import { SPL, approve, disapprove, setTokenAccount, token2022 } from '../token-setup.js';
import { A, B, EVERYTHING, M, MINT, NOT_CANONICAL, PRICE, STRANGER, scenario } from '../fixtures.js';

const COUNTER = address('eh7tKbwn22FLhAdFwYL2Dqsy3AmQfFdRZ9QFQpj1qL2');

/** The scenarios of tokens: what the token programs decide. */
export const tokenScenarios = [
  // program#token-approval, program#token-and-system-error-codes
  scenario('#68 a pull after A revoked the approval fails with 4', (fixtures) => {
    const w = fixtures.subscribed();
    disapprove(w.chain, w.tokenAccount(A));
    w.fails(4, w.pull(PRICE));
    approve(w.chain, w.tokenAccount(A), STRANGER, EVERYTHING);
    w.fails(4, w.pull(PRICE));
  }),

  // program#token-approval
  scenario(
    '#69 with only 100,000 approved a pull fails with 1, and succeeds after an unlimited approval',
    (fixtures) => {
      const w = fixtures.subscribed();
      approve(w.chain, w.tokenAccount(A), w.authority(), 100_000n);
      w.fails(1, w.pull(PRICE));
      w.ok(w.init());
      w.ok(w.pull(PRICE));
      expect(w.tokenState(w.tokenAccount(A)).delegatedAmount).toBe(EVERYTHING - PRICE);
    },
  ),

  // program#invoked-token-instructions
  scenario('#70 a wallet that holds too little reports 1, even with the approval revoked', (fixtures) => {
    const w = fixtures.subscribed();
    w.giveTokens(A, PRICE - 1n);
    w.fails(1, w.pull(PRICE));
  }),

  // program#source-and-receiver-accounts
  scenario(
    '#71 an approved token account of A that is not the canonical one is refused with 108',
    (fixtures) => {
      const w = fixtures.subscribed();
      setTokenAccount(w.chain, {
        address: NOT_CANONICAL,
        mint: MINT,
        owner: A,
        amount: PRICE,
        kind: SPL,
        isFrozen: false,
      });
      approve(w.chain, NOT_CANONICAL, w.authority(), EVERYTHING);
      w.fails(108, w.pull(1n, { source: NOT_CANONICAL }));
    },
  ),

  // program#transfer-fees
  scenario(
    '#72 with a transfer fee of 1 % the receiver gets 9,900,000 of 10,000,000, and 10,000,000 count',
    (fixtures) => {
      const w = fixtures.subscribed({}, mints.WITH_FEE);
      w.ok(w.pull(10_000_000n));
      expect(w.tokens(M)).toBe(9_900_000n);
      expect(w.tokens(A)).toBe(90_000_000n);
      expect(w.subscriptionState().pulled).toBe(10_000_000n);
    },
  ),

  // program#transfer-hooks
  scenario(
    '#73 a pull under an active hook fails without all of its accounts; with all of them the hook is called once',
    (fixtures) => {
      const w = fixtures.subscribed({}, mints.WITH_ACTIVE_HOOK);
      const hookAccounts = setHookAccounts(w.chain, HOOK_PROGRAM, MINT, COUNTER);
      const without = w.send(w.pull(PRICE));
      expect(without.error).not.toBeNull();
      w.fails(HOOK_REFUSAL, w.pull(PRICE, { hookAccounts: hookAccounts.slice(0, 1) }));
      expect(w.data(COUNTER)).toEqual(bytes(0, 0, 0, 0, 0, 0, 0, 0));
      w.ok(w.pull(PRICE, { hookAccounts }));
      expect(w.data(COUNTER)).toEqual(bytes(1, 0, 0, 0, 0, 0, 0, 0));
      expect(w.tokens(M)).toBe(PRICE);
    },
  ),

  // program#transfer-hooks
  scenario('#74 a hook extension with the zero program needs no extra accounts', (fixtures) => {
    const w = fixtures.subscribed({}, mints.WITH_ZERO_HOOK);
    w.ok(w.pull(PRICE));
    expect(w.tokens(M)).toBe(PRICE);
  }),

  // program#frozen-accounts-and-paused-mints, program#memo-and-confidential-receivers,
  // program#token-and-system-error-codes
  scenario(
    "#75 a pull fails with 17 when A's account or the receiver is frozen, 36 when the receiver demands a memo, 67 when the mint is paused",
    (fixtures) => {
      const frozen = fixtures.subscribed();
      frozen.setAssociated(A, { amount: PRICE, isFrozen: true });
      frozen.fails(17, frozen.pull(PRICE));

      const receiver = fixtures.subscribed();
      receiver.setAssociated(M, { amount: 0n, isFrozen: true });
      receiver.fails(17, receiver.pull(PRICE));

      const memo = fixtures.subscribed({}, token2022());
      memo.setAssociated(M, {
        amount: 0n,
        kind: mints.withAccountExtension(memo.kind, {
          __kind: 'MemoTransfer',
          requireIncomingTransferMemos: true,
        }),
      });
      memo.fails(36, memo.pull(PRICE));

      const paused = fixtures.subscribed({}, mints.PAUSED);
      paused.fails(67, paused.pull(PRICE));
      const unpaused = fixtures.subscribed({}, mints.PAUSABLE);
      unpaused.ok(unpaused.pull(PRICE));
    },
  ),

  // program#source-and-receiver-accounts
  scenario(
    "#76 a pull is refused with 110 without A's account or the receiver, 109 without the mint, also for Token-2022",
    (fixtures) => {
      for (const kind of [SPL, token2022()]) {
        const source = fixtures.subscribed({}, kind);
        source.remove(source.tokenAccount(A));
        source.fails(110, source.pull(PRICE));

        const receiver = fixtures.subscribed({}, kind);
        receiver.fails(110, receiver.pull(PRICE, { receiver: receiver.tokenAccount(STRANGER) }));

        const mint = fixtures.subscribed({}, kind);
        mint.remove(MINT);
        mint.fails(109, mint.pull(PRICE));
      }
    },
  ),

  scenario('#77 a subscription that was closed is refused with InvalidAccountOwner', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.cancelNow(), w.revoke());
    w.fails('InvalidAccountOwner', w.pull(PRICE));
  }),

  // program#memo-and-confidential-receivers
  scenario(
    'a receiver that demands a memo is refused with 36 even when the transaction has one',
    (fixtures) => {
      const w = fixtures.subscribed({}, token2022());
      w.setAssociated(M, {
        amount: 0n,
        kind: mints.withAccountExtension(w.kind, {
          __kind: 'MemoTransfer',
          requireIncomingTransferMemos: true,
        }),
      });
      const memo = {
        programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
        accounts: [],
        data: new TextEncoder().encode('invoice 1'),
      };
      w.fails(36, memo, w.pull(PRICE));
    },
  ),

  // program#memo-and-confidential-receivers
  scenario('a receiver that takes only confidential credits fails with 49', (fixtures) => {
    const w = fixtures.subscribed({}, token2022());
    w.setAssociated(M, { amount: 0n, kind: mints.withAccountExtension(w.kind, mints.confidential(false)) });
    w.fails(49, w.pull(PRICE));
    w.setAssociated(M, { amount: 0n, kind: mints.withAccountExtension(w.kind, mints.confidential(true)) });
    w.ok(w.pull(PRICE));
  }),

  // program#frozen-accounts-and-paused-mints
  scenario('a mint whose new accounts start frozen is pulled once both accounts are thawed', (fixtures) => {
    const w = fixtures.bare(mints.FROZEN_BY_DEFAULT);
    w.setAssociated(A, { amount: PRICE, isFrozen: true });
    w.fails(17, w.init());
    w.giveTokens(A, PRICE);
    w.ok(w.init());
    w.ok(w.createPlan());
    w.ok(w.subscribe());
    w.setAssociated(M, { amount: 0n, isFrozen: true });
    w.fails(17, w.pull(PRICE));
    w.giveTokens(M, 0n);
    w.ok(w.pull(PRICE));
  }),

  // program#non-transferable-mints-and-cpi-guard
  scenario('a non-transferable mint takes subscribers, and its pulls fail with 37', (fixtures) => {
    const w = fixtures.subscribed({}, mints.NON_TRANSFERABLE);
    w.fails(37, w.pull(PRICE));
  }),

  // program#non-transferable-mints-and-cpi-guard
  scenario('a CPI guard turned on after the approval does not stop pulls', (fixtures) => {
    const w = fixtures.bare(token2022());
    w.ok(w.createPlan());
    w.ok(w.init());
    w.ok(w.subscribe());
    const guarded = mints.withAccountExtension(w.kind, { __kind: 'CpiGuard', lockCpi: true });
    w.setAssociated(A, { amount: PRICE, kind: guarded });
    approve(w.chain, w.tokenAccount(A), w.authority(), EVERYTHING);
    w.ok(w.pull(PRICE));
    expect(w.tokens(M)).toBe(PRICE);
  }),

  // program#token-2022-extensions
  scenario(
    'a mint with a broken list of extensions is refused with 106; one stray byte ends the list',
    (fixtures) => {
      const w = fixtures.subscribed({}, mints.PAUSABLE);
      const sound = w.chain.read(MINT);
      const extended = (...tail: number[]) =>
        w.chain.write(MINT, { ...sound, data: bytes(sound.data, ...tail) });
      extended(14, 0, 64, 0, 1);
      w.fails(106, w.pull(1n));
      extended(14, 0, 1, 0, 1);
      w.fails(106, w.pull(1n));
      extended(3, 0);
      w.fails(106, w.pull(1n));
      extended(3, 0, 1);
      w.fails(106, w.pull(1n));
      extended(7);
      w.ok(w.pull(1n));
    },
  ),

  // program#source-and-receiver-accounts, program#known-limits
  scenario('a pull to the source itself moves nothing and uses up the period', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.pull(PRICE, { receiver: w.tokenAccount(A) }));
    expect(w.tokens(A)).toBe(100_000_000n);
    expect(w.tokenState(w.tokenAccount(A)).delegatedAmount).toBe(EVERYTHING);
    expect(w.subscriptionState().pulled).toBe(PRICE);
    w.fails(400, w.pull(1n));
  }),

  // program#token-approval
  scenario(
    'an approval that is spent to exactly 0 is removed, and the next pull is refused with 4',
    (fixtures) => {
      const w = fixtures.subscribed();
      approve(w.chain, w.tokenAccount(A), w.authority(), 20_000_000n);
      w.ok(w.pull(20_000_000n));
      expect(w.tokenState(w.tokenAccount(A)).delegate).toBeNull();
      w.fails(4, w.pull(1n));
    },
  ),

  // program#shared-account-checks
  scenario(
    'a pull with the other token program, or with an account that is none, is refused with 105',
    (fixtures) => {
      const w = fixtures.subscribed({}, token2022());
      w.fails(105, w.pull(1n, { tokenProgram: SPL.tokenProgram }));
      w.fails(105, w.pull(1n, { tokenProgram: B }));
    },
  ),
];
