import type { FullStore, SubscriptionId } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';

import {
  openCustomer,
  createCall,
  issueCheckout,
  signCheckout,
  statusAndCode,
  storedSubscription,
} from '@subrail/test-world';

/** The parts of a commit other than its subscription, all empty. */
const EMPTY_PARTS = {
  attempts: [],
  transfers: [],
  events: [],
  deliveries: [],
  movements: [],
  mails: [],
  signedTerms: null,
};

/** A customer whose wallet other customers named in checkouts, all of them expired. */
async function openAfterExpired(count: number) {
  const customer = await openCustomer();
  const { world, issue } = customer;
  for (let other = 0; other < count; other++) {
    const { subscription } = await issue(`other-${other}`);
    const row = await storedSubscription(world, subscription.id);
    await world.store.commit([
      {
        ...EMPTY_PARTS,
        subscription: {
          ...row,
          version: row.version + 1,
          status: 'expired',
          checkoutExpiresAt: null,
          terms: null,
          built: null,
          wakeAt: null,
        },
      },
    ]);
    if (other % 50 === 49) world.advance(61_000);
  }
  world.advance(61_000);
  return customer;
}

// checkout#other-checkouts-of-the-wallet
describe('other customers who name a wallet in their checkouts', () => {
  it('cost the landing of its checkout no more store calls for two hundred expired checkouts than for two', async () => {
    async function readsOfALanding(expired: number): Promise<number> {
      const { world, issue, submitTo } = await openAfterExpired(expired);
      let reads = 0;
      const counting: FullStore = {
        ...world.store,
        findOpenTransfer(...given) {
          reads += 1;
          return world.store.findOpenTransfer(...given);
        },
      };
      const { body } = await submitTo(world.host(counting), await issue());
      expect(body).toMatchObject({ subscription: { status: 'active' } });
      return reads;
    }
    expect(await readsOfALanding(200)).toBe(await readsOfALanding(2));
  });

  it('cost the commit that settles its payment no writes for nine hundred open checkouts', async () => {
    const { world, issue, submitTo } = await openCustomer();
    const { subscription } = await issue('other');
    const row = await storedSubscription(world, subscription.id);
    for (let other = 0; other < 900; other++) {
      const id = `sub_${String(other).padStart(24, '0')}` as SubscriptionId;
      const open = { ...row, id, externalId: `other-${other}`, version: 1 };
      await world.store.commit([{ ...EMPTY_PARTS, subscription: open }]);
    }
    let written = 0;
    const measuring: FullStore = {
      ...world.store,
      commit(changes, figures) {
        written = Math.max(written, changes.length);
        return world.store.commit(changes, figures);
      },
    };
    await submitTo(world.host(measuring), await issue());
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(3);
  });

  it('cannot delay the settling of its payment by requesting fresh transactions', async () => {
    const { world, issue, transaction, submitTo } = await openCustomer();
    const other = await issue('other');
    const disturbed: FullStore = {
      ...world.store,
      async commit(changes, figures) {
        const settles = changes.some(({ transfers }) => transfers.some(({ state }) => state === 'landed'));
        if (settles) await transaction(other);
        return world.store.commit(changes, figures);
      },
    };
    const { body } = await submitTo(world.host(disturbed), await issue());
    expect(body).toMatchObject({ subscription: { status: 'active' } });
  });
});

// requests#project-scope, checkout#repeated-submit-is-idempotent
it('a transaction that was co-signed for another project is not ours at submit', async () => {
  const { world, wallet, issue } = await openCustomer();
  const other = await world.billing.projects.create({ name: 'Other' });
  await world.publishPlan(other.id, 'pro', { name: 'Pro of the other project' });
  const { key } = await world.billing.project(other.id).keys.create();
  const elsewhere = { call: createCall(world.billing, key) };
  const theirs = await issueCheckout(elsewhere, wallet);
  const body = await signCheckout(wallet, theirs);
  const paid = await elsewhere.call('POST', `/subscriptions/${theirs.subscription.id}/submit`, body);
  expect(paid.body).toMatchObject({ subscription: { status: 'active' } });

  const mine = await issue();
  const answer = await world.call('POST', `/subscriptions/${mine.subscription.id}/submit`, body);
  expect(statusAndCode(answer)).toBe('400 not_our_transaction');
});
