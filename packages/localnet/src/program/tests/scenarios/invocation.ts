import { expect } from 'vitest';
import { EVENT_AUTHORITY, PROGRAM, SYSTEM, bytes, withAccount } from '../instruction-builders.js';
import { A, FEES, HOUR, PRICE, SOL, STRANGER, scenario } from '../fixtures.js';

const readonly = { isSigner: false, isWritable: false };

/** The scenarios of invoking the program: instruction data, accounts, events and atomicity. */
export const invocationScenarios = [
  // program#instruction-dispatch
  scenario(
    '#109 no data and selector 99 are refused with 114, a transfer of 71 bytes with 112; a cancel of three extra bytes works',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(114, { ...w.cancel(), data: bytes() });
      w.fails(114, { ...w.cancel(), data: bytes(99) });
      w.fails(112, { ...w.pull(PRICE), data: w.pull(PRICE).data.slice(0, 72) });
      w.fails(112, { ...w.pull(PRICE), data: bytes(w.pull(PRICE).data, 0), accounts: [] });
      w.ok({ ...w.cancel(), data: bytes(12, 1, 2, 3) });
    },
  ),

  // program#shared-account-checks
  scenario(
    '#110 cancel with 6 accounts, subscribe with 7 and a pull with 9 are refused with 113',
    (fixtures) => {
      const w = fixtures.subscribed();
      const cancel = w.cancel();
      w.fails(113, { ...cancel, accounts: [...cancel.accounts, { address: SYSTEM, ...readonly }] });
      w.fails(113, { ...w.subscribe(), accounts: w.subscribe().accounts.slice(0, 7) });
      w.fails(113, { ...w.pull(PRICE), accounts: w.pull(PRICE).accounts.slice(0, 9) });
    },
  ),

  // program#events
  scenario(
    '#111 a wrong event authority is refused with 600, a wrong own program with 604, and everything is undone',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(600, withAccount(w.pull(PRICE), 8, STRANGER));
      w.fails(604, withAccount(w.pull(PRICE), 9, SYSTEM));
      w.fails(600, withAccount(w.cancel(), 3, STRANGER));
      w.fails(604, withAccount(w.cancel(), 4, SYSTEM));
      w.ok(w.cancelNow(), w.revoke());
      w.fails(600, withAccount(w.subscribe(), 6, STRANGER));
      expect(w.exists(w.subscription())).toBe(false);
    },
  ),

  // program#events
  scenario(
    "#112 emit_event without the event authority's signature fails with MissingRequiredSignature",
    (fixtures) => {
      const w = fixtures.bare();
      const emit = { programAddress: PROGRAM, data: bytes(228) };
      w.fails('MissingRequiredSignature', {
        ...emit,
        accounts: [{ address: EVENT_AUTHORITY, ...readonly }],
      });
      w.fails('NotEnoughAccountKeys', { ...emit, accounts: [] });
      w.fails(600, { ...emit, accounts: [{ address: STRANGER, isSigner: true, isWritable: false }] });
    },
  ),

  // program#failure-classification, program#atomicity
  scenario(
    '#113 a failing third instruction after two of the compute budget reports index 2 and costs only the fee',
    (fixtures) => {
      const w = fixtures.subscribed();
      const computeBudget = 'ComputeBudget111111111111111111111111111111' as typeof SYSTEM;
      const limit = { programAddress: computeBudget, accounts: [], data: bytes(2, 0x40, 0x0d, 0x03, 0) };
      const price = { programAddress: computeBudget, accounts: [], data: bytes(3, 0, 0, 0, 0, 0, 0, 0, 0) };
      w.failsAt(2, 400, limit, price, w.pull(PRICE + 1n));

      const before = w.lamports(FEES);
      const processed = w.failsAt(3, 400, limit, price, w.pull(PRICE), w.pull(1n));
      expect(processed.landed).toBe(true);
      expect(w.lamports(FEES)).toBe(before - processed.fee);
      expect(processed.fee).toBe(10_000n);
      expect(w.tokens(A)).toBe(100_000_000n);
    },
  ),

  // program#atomicity
  scenario(
    'a failing instruction undoes everything before it, including the creation and closing of accounts',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.cancel());
      w.advance(HOUR);
      const before = [w.subscription(), w.authority(), A].map((account) => w.chain.read(account));
      w.failsAt(3, 103, w.revoke(), w.subscribe(), w.closeAuthority(), w.pull(1n));
      expect([w.subscription(), w.authority(), A].map((account) => w.chain.read(account))).toEqual(before);
      expect(w.lamports(A)).toBeLessThan(10n * SOL);
    },
  ),
];
