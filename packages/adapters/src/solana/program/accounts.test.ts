import { SOLANA_ERROR__ACCOUNTS__FAILED_TO_DECODE_ACCOUNT } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { decodeAuthority, decodePlan, decodeSubscription, withoutEmptySlots } from './accounts.js';
import { readPlanView, readSubscriptionView } from '../read/views.js';
import { SUBSCRIPTIONS_PROGRAM } from './addresses.js';
import { bytes, i64, keyBytes, planBytes, subscriptionBytes, u64 } from '../tests/bytes.js';
import { OWNER, WALLET, key } from '../tests/charge-view.js';

const EXTRA_BYTES = new Uint8Array(40).fill(0xff);
const unknownLayout = {
  ok: false,
  unavailable: { kind: 'rpc', code: SOLANA_ERROR__ACCOUNTS__FAILED_TO_DECODE_ACCOUNT },
};
const account = (data: Uint8Array) => ({ owner: SUBSCRIPTIONS_PROGRAM, data });

// program#subscription-authority-layout
describe('an authority', () => {
  const data = bytes([0], keyBytes(1), keyBytes(6), keyBytes(7), [254], i64(123_456_789n));

  it('decodes from 106 bytes', () => {
    expect(data.length).toBe(106);
    expect(decodeAuthority(data)).toEqual({
      discriminator: 0,
      user: key(1),
      mint: key(6),
      payer: key(7),
      bump: 254,
      initId: 123_456_789n,
    });
  });

  // program#account-kinds-and-versions
  it('may be longer than its layout, but not shorter, and must be of its kind', () => {
    expect(decodeAuthority(bytes(data, EXTRA_BYTES))?.initId).toBe(123_456_789n);
    expect(decodeAuthority(data.slice(0, 105))).toBeNull();
    expect(decodeAuthority(bytes([1], data.slice(1)))).toBeNull();
  });
});

// program#subscription-layout
describe('a subscription', () => {
  it('decodes from 155 bytes', () => {
    expect(subscriptionBytes({}).length).toBe(155);
    expect(decodeSubscription(subscriptionBytes({ pulled: 5n, expiresAt: 9n }))).toEqual({
      discriminator: 4,
      version: 1,
      bump: 255,
      delegator: WALLET,
      delegatee: key(20),
      payer: WALLET,
      initId: 77n,
      amount: 10_000_000n,
      periodHours: 720n,
      planCreatedAt: 1_767_225_600n,
      pulled: 5n,
      periodStart: 1_767_300_000n,
      expiresAt: 9n,
    });
  });

  it('may be longer than its layout, but not shorter', () => {
    expect(decodeSubscription(bytes(subscriptionBytes({}), EXTRA_BYTES))?.initId).toBe(77n);
    expect(decodeSubscription(subscriptionBytes({}).slice(0, 154))).toBeNull();
  });

  // program#unknown-account-versions
  it.each([0, 2])('of version %s is unreadable, not missing', (version) => {
    expect(decodeSubscription(subscriptionBytes({ version }))).toBeNull();
    expect(readSubscriptionView(account(subscriptionBytes({ version })))).toEqual(unknownLayout);
  });

  it('has dates for instants, and no expiry for 0', () => {
    expect(readSubscriptionView(account(subscriptionBytes({})))).toEqual({
      ok: true,
      value: {
        generation: 77n,
        planCreatedAt: new Date(1_767_225_600_000),
        payer: WALLET,
        amount: 10_000_000n,
        periodHours: 720,
        periodStart: new Date(1_767_300_000_000),
        pulled: 0n,
        expiresAt: null,
      },
    });
  });

  it('is missing where another program owns the address', () => {
    const foreign = { owner: key(9), data: subscriptionBytes({}) };
    expect(readSubscriptionView(foreign)).toEqual({ ok: true, value: null });
    expect(readSubscriptionView(null)).toEqual({ ok: true, value: null });
  });
});

// program#plan-layout
describe('a plan', () => {
  it('decodes from 491 bytes', () => {
    expect(planBytes({}).length).toBe(491);
    expect(decodePlan(planBytes({}))).toMatchObject({
      discriminator: 1,
      owner: OWNER,
      bump: 254,
      status: 1,
      planId: 1n,
      amount: 10_000_000n,
      periodHours: 720n,
      createdAt: 1_767_225_600n,
      endTs: 0n,
    });
  });

  it('lists wallets without the empty slots', () => {
    const plan = decodePlan(planBytes({ destinations: [0, 4, 0, 5], pullers: [3, 0, 0, 0] }));
    expect(withoutEmptySlots(plan?.destinations ?? [])).toEqual([key(4), key(5)]);
    expect(withoutEmptySlots(plan?.pullers ?? [])).toEqual([key(3)]);
  });

  it('has its sunset and its end', () => {
    const view = readPlanView(account(planBytes({ status: 0, endTs: 1_800_000_000n })));
    expect(view).toMatchObject({ ok: true, value: { sunset: true, endsAt: new Date(1_800_000_000_000) } });
  });

  it('has the last possible Date for an end beyond it', () => {
    const view = readPlanView(account(planBytes({ endTs: 2n ** 63n - 1n })));
    expect(view).toMatchObject({ ok: true, value: { endsAt: new Date(8_640_000_000_000_000) } });
  });

  it('in an unknown layout is unreadable, not missing', () => {
    expect(readPlanView(account(planBytes({}).slice(0, 400)))).toEqual(unknownLayout);
    expect(readPlanView(account(subscriptionBytes({})))).toEqual(unknownLayout);
  });

  it('has an amount of up to 64 bits', () => {
    expect(decodePlan(planBytes({ amount: 2n ** 64n - 1n }))?.amount).toBe(2n ** 64n - 1n);
    expect(u64(2n ** 64n - 1n)).toEqual(new Uint8Array(8).fill(0xff));
  });
});
