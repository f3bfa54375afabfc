import { describe, expect, it } from 'vitest';
import { decodeAuthority, decodePlan, decodeSubscription, withoutEmptySlots } from './accounts.js';
import { readPlanView, readSubscriptionView } from '../read/views.js';
import { SUBSCRIPTIONS_PROGRAM } from './addresses.js';
import { bytes, i64, keyBytes, planBytes, subscriptionBytes, u64 } from '../tests/bytes.js';
import { OWNER, WALLET, key } from '../tests/charge-view.js';

const LONGER = new Uint8Array(40).fill(0xff);
const unknownLayout = { ok: false, unavailable: { kind: 'rpc', code: 3230002 } };
const account = (data: Uint8Array) => ({ owner: SUBSCRIPTIONS_PROGRAM, data });

describe('program#subscription-authority-layout: an authority', () => {
  const data = bytes([0], keyBytes(1), keyBytes(6), keyBytes(7), [254], i64(123_456_789n));

  it('is 106 bytes', () => {
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

  it('may be longer, not shorter, and no other kind of account', () => {
    expect(decodeAuthority(bytes(data, LONGER))?.initId).toBe(123_456_789n);
    expect(decodeAuthority(data.slice(0, 105))).toBeNull();
    expect(decodeAuthority(bytes([1], data.slice(1)))).toBeNull();
  });
});

describe('program#subscription-layout: a subscription', () => {
  it('is 155 bytes', () => {
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

  it('may be longer, not shorter', () => {
    expect(decodeSubscription(bytes(subscriptionBytes({}), LONGER))?.initId).toBe(77n);
    expect(decodeSubscription(subscriptionBytes({}).slice(0, 154))).toBeNull();
  });

  it.each([0, 2])(
    'of version %s is unknown, and so neither gone nor read (program#unknown-account-versions)',
    (version) => {
      expect(decodeSubscription(subscriptionBytes({ version }))).toBeNull();
      expect(readSubscriptionView(account(subscriptionBytes({ version })))).toEqual(unknownLayout);
    },
  );

  it('reads in Date, with no expiry for 0', () => {
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

describe('program#plan-layout: a plan', () => {
  it('is 491 bytes', () => {
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

  it('lists wallets without the empty slots between them', () => {
    const plan = decodePlan(planBytes({ destinations: [0, 4, 0, 5], pullers: [3, 0, 0, 0] }));
    expect(withoutEmptySlots(plan?.destinations ?? [])).toEqual([key(4), key(5)]);
    expect(withoutEmptySlots(plan?.pullers ?? [])).toEqual([key(3)]);
  });

  it('reads a sunset and an end', () => {
    const view = readPlanView(account(planBytes({ status: 0, endTs: 1_800_000_000n })));
    expect(view).toMatchObject({ ok: true, value: { sunset: true, endsAt: new Date(1_800_000_000_000) } });
  });

  it('may end later than a Date can tell', () => {
    const view = readPlanView(account(planBytes({ endTs: 2n ** 63n - 1n })));
    expect(view).toMatchObject({ ok: true, value: { endsAt: new Date(8_640_000_000_000_000) } });
  });

  it('of another shape is unknown, and so not gone', () => {
    expect(readPlanView(account(planBytes({}).slice(0, 400)))).toEqual(unknownLayout);
    expect(readPlanView(account(subscriptionBytes({})))).toEqual(unknownLayout);
  });

  it('holds its amount as 64 bits', () => {
    expect(decodePlan(planBytes({ amount: 2n ** 64n - 1n }))?.amount).toBe(2n ** 64n - 1n);
    expect(u64(2n ** 64n - 1n)).toEqual(new Uint8Array(8).fill(0xff));
  });
});
