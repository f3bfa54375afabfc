import {
  type Address,
  SOLANA_ERROR__ACCOUNTS__FAILED_TO_DECODE_ACCOUNT,
  address,
  getBase64Decoder,
} from '@solana/kit';
import type { ChargeTarget } from '@subrail/core/ports';
import { ManualClock } from '@subrail/core/testing';
import { describe, expect, it } from 'vitest';
import { batchesOf, chargeAccountsOf } from './charge-accounts.js';
import {
  CLOCK_SYSVAR,
  SUBSCRIPTIONS_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  createAddresses,
} from '../program/addresses.js';
import { bytes, i64, keyBytes, planBytes, subscriptionBytes, u64 } from '../tests/bytes.js';
import { chainOn, timedBy } from '../tests/chain-on.js';
import { FakeRpcError, asTimePasses } from '../tests/fake-rpc.js';
import { CHARGER, OWNER, PLAN, RECEIVER, WALLET, key } from '../tests/charge-view.js';

const addresses = createAddresses();
const MINT = key(6);
/** The plan of `planBytes`, and its subscriber. */
const target: ChargeTarget = { plan: { ...PLAN, mint: MINT }, wallet: WALLET };
const chargeAccounts = await chargeAccountsOf(target, addresses);

interface Stored {
  readonly owner: Address;
  readonly data: Uint8Array;
}

const program = (data: Uint8Array): Stored => ({ owner: SUBSCRIPTIONS_PROGRAM, data });
const token = (data: Uint8Array): Stored => ({ owner: TOKEN_PROGRAM, data });
const tokenAccount = (owner: number, amount: bigint) =>
  token(bytes(keyBytes(6), keyBytes(owner), u64(amount), new Uint8Array(36), [1], new Uint8Array(56)));
const clockAccount: Stored = {
  owner: SYSTEM_PROGRAM,
  data: bytes(u64(5000n), new Uint8Array(24), i64(1_770_000_000n)),
};
const authorityAccount = program(bytes([0], keyBytes(1), keyBytes(6), keyBytes(1), [255], i64(77n)));
const mintAccount = token(bytes(new Uint8Array(36), u64(1n), [6, 1], new Uint8Array(36)));

/** The accounts of a wallet that can be charged; `changed` replaces some, or removes them with null. */
function chainAccounts(
  changed: Partial<Record<keyof typeof chargeAccounts | 'clock', Stored | null>> = {},
): Map<string, Stored> {
  const all = {
    clock: clockAccount,
    plan: program(planBytes({ pullers: [3, 0, 0, 0] })),
    subscription: program(subscriptionBytes({})),
    authority: authorityAccount,
    source: tokenAccount(1, 50n),
    receiver: tokenAccount(4, 0n),
    ownerReceiver: tokenAccount(2, 0n),
    mint: mintAccount,
    ...changed,
  };
  const at: Record<keyof typeof all, Address> = { ...chargeAccounts, clock: CLOCK_SYSVAR };
  const named = Object.entries(all) as [keyof typeof all, Stored | null][];
  return new Map(named.flatMap(([name, account]) => (account === null ? [] : [[at[name], account]])));
}

function nodeWith(accounts: ReadonlyMap<string, Stored>, slot = 5000n) {
  return (params: readonly unknown[]) => ({
    context: { slot },
    value: (params[0] as string[]).map((wanted) => {
      const account = accounts.get(wanted);
      if (account === undefined) return null;
      const data = [getBase64Decoder().decode(account.data), 'base64'];
      return { owner: account.owner, data, lamports: 1n, executable: false, rentEpoch: 0n, space: 0n };
    }),
  });
}

async function read(changed: Parameters<typeof chainAccounts>[0] = {}) {
  const { chain } = chainOn({ getMultipleAccounts: nodeWith(chainAccounts(changed)) });
  const [result] = await chain.readCharges([target], 'confirmed');
  return result;
}

const unknown = {
  ok: false,
  unavailable: { kind: 'rpc', code: SOLANA_ERROR__ACCOUNTS__FAILED_TO_DECODE_ACCOUNT },
};

// attempts#one-read-before-a-charge, program#reading-before-a-charge
describe('the read before a charge', () => {
  it('returns every account at one slot, with the chain’s time', async () => {
    expect(await read()).toEqual({
      ok: true,
      value: {
        slot: 5000n,
        time: new Date(1_770_000_000_000),
        plan: {
          owner: OWNER,
          mint: MINT,
          amount: 10_000_000n,
          periodHours: 720,
          createdAt: new Date(1_767_225_600_000),
          endsAt: null,
          sunset: false,
          destinations: [],
          pullers: [CHARGER],
        },
        subscription: {
          generation: 77n,
          planCreatedAt: new Date(1_767_225_600_000),
          payer: WALLET,
          amount: 10_000_000n,
          periodHours: 720,
          periodStart: new Date(1_767_300_000_000),
          pulled: 0n,
          expiresAt: null,
        },
        authority: { address: chargeAccounts.authority, generation: 77n },
        source: expect.objectContaining({ owner: WALLET, balance: 50n, delegate: null }) as unknown,
        receiver: {
          address: chargeAccounts.receiver,
          owner: RECEIVER,
          frozen: false,
          needsMemo: false,
          confidentialOnly: false,
        },
        mint: {
          tokenProgram: TOKEN_PROGRAM,
          decimals: 6,
          paused: false,
          transferable: true,
          hookProgram: null,
        },
      },
    });
  });

  it.each([
    ['plan', { plan: null }, { plan: null }],
    ['subscription', { subscription: null }, { subscription: null }],
    [
      'authority',
      { authority: null },
      { authority: { address: chargeAccounts.authority, generation: null } },
    ],
    ['source', { source: null }, { source: null }],
    ['mint', { mint: null }, { mint: null }],
  ] as const)('reads null for a missing %s', async (_, changed, expected) => {
    expect(await read(changed)).toMatchObject({ ok: true, value: expected });
  });

  it('reads an address that only received lamports as empty', async () => {
    const plain = { owner: SYSTEM_PROGRAM, data: new Uint8Array() };
    expect(await read({ subscription: plain, authority: plain })).toMatchObject({
      ok: true,
      value: { subscription: null, authority: { generation: null } },
    });
  });

  // program#unknown-account-versions
  it('returns an error with a number for an account in an unknown version or layout', async () => {
    expect(await read({ subscription: program(subscriptionBytes({ version: 2 })) })).toEqual(unknown);
    expect(await read({ plan: program(new Uint8Array(600).fill(1, 1)) })).toEqual(unknown);
    expect(await read({ authority: program(new Uint8Array(50)) })).toEqual(unknown);
  });

  // billing-periods#chain-clock-decides-due, program#chain-clock
  it('is unavailable without the chain’s clock', async () => {
    expect(await read({ clock: null })).toEqual({ ok: false, unavailable: { kind: 'transport' } });
  });

  it('returns for each charge that the chain is unavailable', async () => {
    const { chain } = chainOn({
      getMultipleAccounts: () => {
        throw new FakeRpcError(-32601);
      },
    });
    const unavailable = { ok: false, unavailable: { kind: 'rpc', code: -32601 } };
    expect(await chain.readCharges([target, { ...target, wallet: OWNER }], 'confirmed')).toEqual([
      unavailable,
      unavailable,
    ]);
  });
});

// attempts#receiver-account, program#source-and-receiver-accounts
describe('the receiving account', () => {
  const receiverWith = (changed: Parameters<typeof chainAccounts>[0]) =>
    read(changed).then((answer) => answer?.ok && answer.value.receiver);

  it('is the owner’s when the receiver has none and the plan may pay any wallet', async () => {
    expect(await receiverWith({ receiver: null })).toMatchObject({
      address: chargeAccounts.ownerReceiver,
      owner: OWNER,
    });
  });

  it('is the owner’s only when the owner is a destination', async () => {
    const listing = (...destinations: number[]) => program(planBytes({ destinations }));
    expect(await receiverWith({ receiver: null, plan: listing(4, 2, 0, 0) })).toMatchObject({ owner: OWNER });
    expect(await receiverWith({ receiver: null, plan: listing(4, 0, 0, 0) })).toBeNull();
  });

  it('is missing when neither has one', async () => {
    expect(await receiverWith({ receiver: null, ownerReceiver: null })).toBeNull();
    expect(await receiverWith({ receiver: null, plan: null })).toBeNull();
  });

  it('is missing when the account at its address is of another mint', async () => {
    const ofOtherMint = token(bytes(keyBytes(7), keyBytes(4), new Uint8Array(44), [1], new Uint8Array(56)));
    expect(await receiverWith({ receiver: ofOtherMint, ownerReceiver: null })).toBeNull();
  });

  it('has the owner that its data names', async () => {
    expect(await receiverWith({ receiver: tokenAccount(9, 0n) })).toMatchObject({
      address: chargeAccounts.receiver,
      owner: key(9),
    });
  });
});

describe('a read of many charges', () => {
  const manyOf = (plan: number, wallets: number) =>
    Promise.all(
      Array.from({ length: wallets }, (_, index) =>
        chargeAccountsOf(
          { plan: { ...PLAN, address: key(40 + plan), mint: MINT }, wallet: key(100 + index) },
          addresses,
        ),
      ),
    );

  it('reads the accounts of a plan once for its charges: 31 charges and at most 100 accounts in a call', async () => {
    const [one, other] = await Promise.all([manyOf(1, 60), manyOf(2, 60)]);
    const mixed = one.flatMap((charge, index) => [charge, other[index] ?? charge]);
    const batches = batchesOf(mixed);
    expect(batches.map(({ charges }) => charges.length)).toEqual([31, 31, 31, 27]);
    for (const { addresses: wanted } of batches) {
      expect(wanted.size).toBeLessThanOrEqual(100);
      expect(wanted.has(CLOCK_SYSVAR)).toBe(true);
    }
  });

  it('reads all accounts of one charge in the same call', async () => {
    const charges = (await Promise.all([1, 2, 3, 4, 5].map((plan) => manyOf(plan, 17)))).flat();
    const batches = batchesOf(charges);
    expect(batches.flatMap((batch) => batch.charges)).toHaveLength(charges.length);
    for (const batch of batches) {
      for (const charge of batch.charges) {
        for (const needed of Object.values(charge) as Address[])
          expect(batch.addresses.has(needed)).toBe(true);
      }
    }
  });

  it('returns the results in the order of the targets', async () => {
    const { chain, called } = chainOn({ getMultipleAccounts: nodeWith(chainAccounts()) });
    const wallets = Array.from({ length: 70 }, (_, index) => (index === 37 ? WALLET : key(100 + index)));
    const answers = await chain.readCharges(
      wallets.map((wallet) => ({ ...target, wallet })),
      'confirmed',
    );
    expect(called.filter((method) => method === 'getMultipleAccounts')).toHaveLength(3);
    const found = answers.flatMap((answer, index) => (answer.ok && answer.value.subscription ? [index] : []));
    expect(found).toEqual([37]);
  });

  it('makes no call for no charge', async () => {
    const { chain, called } = chainOn({});
    expect(await chain.readCharges([], 'confirmed')).toEqual([]);
    expect(called).toEqual([]);
  });
});

describe('slots of responses', () => {
  const slots = (...responseSlots: bigint[]) => {
    const seen: unknown[] = [];
    const clock = new ManualClock(new Date('2026-01-01T00:00:00.000Z'));
    const { chain } = chainOn(
      {
        getMultipleAccounts: (params) => {
          seen.push((params[1] as { minContextSlot?: number }).minContextSlot);
          return nodeWith(chainAccounts(), responseSlots.shift() ?? 0n)(params);
        },
      },
      timedBy(clock),
    );
    const read = (commitment: 'confirmed' | 'finalized') =>
      asTimePasses(clock, chain.readCharges([target], commitment));
    return { seen, clock, read };
  };
  const slotOf = (answers: Awaited<ReturnType<ReturnType<typeof slots>['read']>>) =>
    answers.map((answer) => answer.ok && answer.value.slot);

  it('rejects a response older than the last one, and asks for a newer one', async () => {
    const { read: readAt, seen } = slots(5000n, 4999n, 5001n);
    expect(slotOf(await readAt('confirmed'))).toEqual([5000n]);
    expect(slotOf(await readAt('confirmed'))).toEqual([5001n]);
    expect(seen).toEqual([undefined, 5000, 5000]);
  });

  // attempts#read-commitment, program#commitment-and-rpc-methods
  it('lets finalized trail confirmed by at most 150 slots', async () => {
    const { read: readAt, seen } = slots(5000n, 4968n, 4000n, 4969n);
    await readAt('confirmed');
    expect(slotOf(await readAt('finalized'))).toEqual([4968n]);
    expect(slotOf(await readAt('finalized'))).toEqual([4969n]);
    expect(seen).toEqual([undefined, 4850, 4850, 4850]);
  });

  it('forgets a slot after a minute, so that a false one cannot block reads for ever', async () => {
    const { read: readAt, clock, seen } = slots(9_000_000n, 5000n);
    await readAt('confirmed');
    clock.advance(60_001);
    expect(slotOf(await readAt('confirmed'))).toEqual([5000n]);
    expect(seen).toEqual([undefined, undefined]);
  });

  it.each([
    ['too few accounts', () => ({ context: { slot: 1n }, value: [] })],
    ['no slot', (params: readonly unknown[]) => ({ value: nodeWith(chainAccounts())(params).value })],
    ['an account without an owner', () => ({ context: { slot: 1n }, value: [{ data: ['', 'base64'] }] })],
    [
      'data in another encoding',
      () => ({ context: { slot: 1n }, value: [{ owner: address(TOKEN_PROGRAM), data: ['', 'base58'] }] }),
    ],
    ['nothing', () => null],
  ])('rejects a response with %s', async (_, answer) => {
    const { chain } = chainOn({ getMultipleAccounts: answer });
    expect(await chain.readCharges([target], 'confirmed')).toEqual([
      { ok: false, unavailable: { kind: 'transport' } },
    ]);
  });
});
