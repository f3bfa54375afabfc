import { describe, expect, it } from 'vitest';

import {
  MONTH,
  MINUTE,
  beforeSend,
  changeViews,
  DAY,
  outcomesUnknown,
  signCheckout,
  statusAndCode,
} from '@subrail/test-world';
import { openStopped } from './stopped-customer.js';
import { expectInvariants } from '../invariants/expect-invariants.js';

// checkout#order-of-create-refusals, coming-back#comeback-refusals
describe('a comeback is refused', () => {
  it('subscription_stopped when the authorisation was closed', async () => {
    const { outside, create, issue, submit } = await openStopped();
    const first = await issue();
    await outside.closeAuthority();
    expect(statusAndCode(await create())).toBe('409 subscription_stopped');
    expect(statusAndCode(await submit(first))).toBe('409 subscription_stopped');
  });

  // coming-back#earlier-comeback-landed
  it('comeback_landed when the period in progress is already paid', async () => {
    const { outside, create, issue, submit, transaction } = await openStopped();
    const first = await issue();
    await outside.pullAsOwner();
    expect(statusAndCode(await create())).toBe('409 comeback_landed');
    expect(statusAndCode(await transaction(first))).toBe('409 comeback_landed');
    expect(statusAndCode(await submit(first))).toBe('409 comeback_landed');
  });

  // coming-back#earlier-comeback-landed
  it('comeback_landed when a part of the period in progress is paid, because it would pay the full price', async () => {
    const { world, outside, create } = await openStopped();
    await outside.pullAsOwner();
    const partPaid = changeViews((view) => ({
      ...view,
      subscription: view.subscription && { ...view.subscription, pulled: 1n },
    }));
    world.injectFaults(partPaid);
    expect(statusAndCode(await create())).toBe('409 comeback_landed');
  });

  // coming-back#concurrent-comebacks
  it('comeback_in_flight while an earlier comeback may still land: one of two concurrent submits pays', async () => {
    const { world, old, create, issue, submit, transaction } = await openStopped();
    const mine = await issue('customer-1');
    const theirs = await world.inNewBlock(() => issue('customer-2'));
    const refused: string[] = [];
    world.injectFaults(
      beforeSend(async () => {
        world.clearFaults();
        for (const act of [() => submit(theirs), () => transaction(theirs), () => create('other')]) {
          refused.push(statusAndCode(await act()));
        }
      }),
    );
    expect((await submit(mine)).body).toMatchObject({ subscription: { status: 'active' } });
    expect(refused).toEqual(['409 comeback_in_flight', '409 comeback_in_flight', '409 comeback_in_flight']);
    expect(statusAndCode(await submit(theirs))).toBe('409 not_awaiting_signature');
    await expectInvariants(world, [old, mine.subscription.id, theirs.subscription.id]);
  });

  // coming-back#concurrent-comebacks
  it('subscription_changed when another comeback is stored between the checks of a submit and its commit', async () => {
    const { world, old, issue, submit, submitTo } = await openStopped();
    const mine = await issue('customer-1');
    const theirs = await world.inNewBlock(() => issue('customer-2'));
    world.injectFaults(outcomesUnknown);
    let raced = '';
    const host = world.host({
      ...world.store,
      async commit(changes, figures) {
        if (raced === '') {
          raced = 'now';
          raced = statusAndCode(await submit(theirs));
        }
        return world.store.commit(changes, figures);
      },
    });
    expect(statusAndCode(await submitTo(host, mine))).toBe('409 subscription_changed');
    expect(raced).toBe('201 nothing_landed');
    world.clearFaults();
    await world.work();
    await expectInvariants(world, [old, mine.subscription.id, theirs.subscription.id]);
  });

  // checkout#order-of-submit-checks
  it('seat_cap_reached comes before comeback_period_rolling on submit', async () => {
    const { world, wallet, old, issue, read } = await openStopped();
    const boundary = Date.parse(String((await read(old))['current_period_end'])) + MONTH;
    world.advance(boundary - 2 * MINUTE - 10_000 - world.now().getTime());
    const first = await issue();
    const { billing } = world.host({
      ...world.store,
      findSeats: () => Promise.resolve({ subscriptions: [], seats: 1_000_000 }),
      async findProject(id) {
        const project = await world.store.findProject(id);
        return project === null ? null : { ...project, subscriberLimit: 1 };
      },
    });
    world.advance(15_000);
    const body = await signCheckout(wallet, first);
    await expect(
      billing.project(world.projectId).subscriptions.submit(first.subscription.id, body),
    ).rejects.toMatchObject({ code: 'seat_cap_reached' });
  });

  // retries#last-two-minutes-of-a-plan, checkout#plan-about-to-end
  it('plan_ended in the last two minutes of a plan', async () => {
    const { world, create } = await openStopped({ endsAfter: 50 * DAY });
    const ends = Date.parse('2026-01-01T00:00:00.000Z') + 50 * DAY;
    world.advance(ends - 90_000 - world.now().getTime());
    expect(statusAndCode(await create())).toBe('409 plan_ended');
  });
});
