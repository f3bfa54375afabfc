import { describe, expect, it } from 'vitest';
import { PROGRAM, bytes } from './tests/instruction-builders.js';
import { OURS } from './tests/test-chain.js';
import { A, Fixtures } from './tests/fixtures.js';

// The deployed program has these instructions, so they cannot be scenarios for both implementations.
// program#fixed-and-recurring-delegations

describe('instructions of fixed and recurring delegations fail and log their name', () => {
  it.each([
    [1, 32, 'create_fixed_delegation'],
    [2, 48, 'create_recurring_delegation'],
    [4, 72, 'transfer_fixed'],
    [5, 72, 'transfer_recurring'],
    [15, 0, 'revoke_abandoned_delegation'],
  ])('instruction %i fails', (selector, payload, name) => {
    const w = new Fixtures(OURS).bare();
    const { logs } = w.fails('ProgramFailedToComplete', {
      programAddress: PROGRAM,
      accounts: [],
      data: bytes(selector, new Uint8Array(payload)),
    });
    expect(logs).toContainEqual(expect.stringContaining(`${name} is not implemented`));
  });

  it.each([
    [2, 187, 'fixed'],
    [3, 211, 'recurring'],
  ])('instruction 3 fails on an account of kind %i', (kind, size, name) => {
    const w = new Fixtures(OURS).bare();
    const data = bytes(kind, new Uint8Array(size - 1));
    w.chain.write(w.subscription(), {
      lamports: w.chain.rent(size),
      data,
      owner: PROGRAM,
      executable: false,
    });
    const { logs } = w.fails('ProgramFailedToComplete', w.revoke());
    expect(logs).toContainEqual(
      expect.stringContaining(`revoke_delegation of a ${name} delegation is not implemented`),
    );
    expect(w.exists(w.subscription())).toBe(true);
    expect(w.lamports(A)).toBe(10_000_000_000n);
  });
});
