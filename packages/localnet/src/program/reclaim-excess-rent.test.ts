import { describe, expect, it } from 'vitest';
import { PROGRAM, bytes } from './tests/instruction-builders.js';
import { A, Fixtures, HOUR, M, SPONSOR, STRANGER, type World } from './tests/fixtures.js';
import { OURS } from './tests/test-chain.js';

// v0.5.0 lacks this instruction, so these are no scenarios, which the deployed program would play as well.
// program#reclaim-excess-rent

const EXCESS = 1_000_000n;

type Address = typeof A;

const account = (address: Address, isWritable = true) => ({ address, isSigner: false, isWritable });
const reclaim = (
  target: Address,
  receiver: Address,
  writable: readonly [boolean, boolean] = [true, true],
) => ({
  programAddress: PROGRAM,
  accounts: [account(target, writable[0]), account(receiver, writable[1])],
  data: bytes(18),
});

/** A world in which a sponsor paid the rent of authority and subscription, both with excess lamports. */
function overfunded(): World {
  const w = new Fixtures(OURS).bare();
  w.ok(w.init({ payer: SPONSOR }));
  w.ok(w.createPlan({ payer: SPONSOR }));
  w.ok(w.subscribe({ payer: SPONSOR }));
  for (const of of [w.authority(), w.plan(), w.subscription()]) w.setLamports(of, w.lamports(of) + EXCESS);
  return w;
}

describe('reclaim_excess_rent pays what is above the rent, whoever sends it', () => {
  it.each<[string, (w: World) => Address, Address]>([
    ['of an authority to its payer', (w) => w.authority(), SPONSOR],
    ['of a subscription to its payer', (w) => w.subscription(), SPONSOR],
    ['of a plan to its owner, who did not pay', (w) => w.plan(), M],
  ])('%s', (_, target, receiver) => {
    const w = overfunded();
    const at = target(w);
    const [before, data] = [w.lamports(receiver), w.data(at)];
    w.ok(reclaim(at, receiver));
    expect(w.lamports(at)).toBe(w.chain.rent(data.length));
    expect(w.lamports(receiver)).toBe(before + EXCESS);
    expect(w.data(at)).toEqual(data);
    w.fails(138, reclaim(at, receiver));
  });

  it('and the subscription then goes on as before', () => {
    const w = overfunded();
    w.ok(reclaim(w.subscription(), SPONSOR));
    w.ok(w.pull(1n), w.cancel());
    w.advance(HOUR);
    const before = w.lamports(SPONSOR);
    w.ok(w.revoke({ receiver: SPONSOR }));
    expect(w.lamports(SPONSOR)).toBe(before + w.chain.rent(155));
  });
});

describe('reclaim_excess_rent is refused', () => {
  it('in the order of its checks', () => {
    const w = overfunded();
    const [target, more] = [w.subscription(), account(STRANGER)];
    const valid = reclaim(target, SPONSOR);
    w.fails(113, { ...valid, accounts: [] });
    w.fails(113, { ...valid, accounts: [...valid.accounts, more] });
    w.fails(131, reclaim(A, STRANGER, [false, true]));
    w.fails(131, reclaim(A, STRANGER, [true, false]));
    w.fails('InvalidAccountOwner', reclaim(A, STRANGER));
    w.fails(130, reclaim(target, STRANGER));
    w.fails(130, reclaim(w.plan(), SPONSOR));
    w.ok(valid);
    // The receiver is checked before the balance.
    w.fails(130, reclaim(target, STRANGER));
    w.fails(138, valid);
  });

  it.each<[string, number, Uint8Array]>([
    ['of no data', 111, bytes()],
    ['of an authority that is too long', 111, bytes(0, new Uint8Array(106))],
    ['of a plan that is too short', 111, bytes(1, new Uint8Array(489))],
    ['of a subscription that is too short', 111, bytes(4, 1, new Uint8Array(152))],
    ['of a subscription without a version', 111, bytes(4)],
    ['of a subscription of an older version', 134, bytes(4, 0, new Uint8Array(153))],
    ['of a subscription of a later version', 133, bytes(4, 2, new Uint8Array(153))],
    ['of another kind', 117, bytes(5, new Uint8Array(154))],
  ])('on an account %s', (_, code, data) => {
    const w = overfunded();
    const at = w.subscription();
    w.chain.write(at, { lamports: 10_000_000n, data, owner: PROGRAM, executable: false });
    w.fails(code, reclaim(at, SPONSOR));
  });

  it.each([2, 3])('by name on a delegation of kind %i, which this program does not have', (kind) => {
    const w = overfunded();
    const at = w.subscription();
    const data = bytes(kind, 1, new Uint8Array(209));
    w.chain.write(at, { lamports: 10_000_000n, data, owner: PROGRAM, executable: false });
    const { logs } = w.fails('ProgramFailedToComplete', reclaim(at, SPONSOR));
    expect(logs).toContainEqual(
      expect.stringContaining('reclaim_excess_rent of a fixed or recurring delegation'),
    );
  });
});
