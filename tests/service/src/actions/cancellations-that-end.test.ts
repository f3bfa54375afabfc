// Heavy: each end has a service and a chain of its own.

import { describe, expect, it } from 'vitest';

import {
  MONTH,
  SECOND,
  actionsOf,
  attemptReasons,
  createCheckout,
  DAY,
  openSubscriber,
  statusAndCode,
  type Subscriber,
  type TestWorldOptions,
} from '@subrail/test-world';

let opened: Subscriber;

/** A paid-up customer who cancelled ten days before the end of the first month, or of the plan. */
async function begin(options: TestWorldOptions = {}): Promise<void> {
  opened = await openSubscriber('paid', options);
  const { world, wallet, id } = opened;
  for (let left = (options.endsAfter ?? MONTH) - 10 * DAY; left > 0; left -= MONTH) {
    world.advance(Math.min(left, MONTH));
    await world.work();
  }
  const { status } = await actionsOf(world, wallet, id).act('cancel');
  expect(status).toBe(201);
}

const read = async () => (await opened.world.call('GET', `/subscriptions/${opened.id}`)).body;

/** The expiry of the cancellation, as the answer to the cancellation had it. */
const expiryOf = async () => new Date(String((await read())['closable_from']));

/** What happens while the worker stands still, once the cancellation has expired. */
type Meanwhile = () => Promise<unknown>;

// events#end-of-a-cancellation, cancel-resume-close#cancellation-wins-over-plan-end
describe('a cancellation that reaches its end raises ended with its expiry and its reason', () => {
  const ENDS = { endsAfter: MONTH + 20 * DAY };

  it.each<[string, TestWorldOptions, Meanwhile]>([
    ['when its plan was deleted', ENDS, () => opened.outside.deletePlan()],
    ['when its wallet has closed the account and made another', {}, () => opened.outside.remake()],
    [
      'when its plan was deleted and its wallet has closed the account',
      ENDS,
      async () => {
        await opened.outside.deletePlan();
        await opened.outside.closeSubscription();
      },
    ],
    [
      'when another plan has the place of its plan',
      ENDS,
      async () => {
        await opened.outside.deletePlan();
        await opened.outside.recreatePlan();
      },
    ],
  ])('%s', async (_, options, meanwhile) => {
    await begin(options);
    const { world, id } = opened;
    const expiry = await expiryOf();
    world.advance(expiry.getTime() + SECOND - world.now().getTime());
    await meanwhile();
    await world.work();
    world.advance(2 * 60 * SECOND);
    await world.work();
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'cancelled' });
    const events = (await world.storedEvents()).filter(({ subscriptionId }) => subscriptionId === id);
    expect(events.map(({ type }) => type.replace('subscription.', '')).slice(-3)).toEqual([
      'cancelled',
      'access_revoked',
      'ended',
    ]);
    expect(events.at(-1)?.detail).toEqual({ changed_at: expiry.toISOString(), end_reason: 'cancelled' });
  });
});

// cancel-resume-close#closed-by-its-wallet-after-the-end
describe('an account that is gone', () => {
  const SIGNATURE = '1'.repeat(64);

  it('from the expiry on counts as closed, at no attempt, and the wallet may subscribe again', async () => {
    await begin();
    const { world, wallet, id, outside } = opened;
    world.advance((await expiryOf()).getTime() + SECOND - world.now().getTime());
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'cancelled', closable: true });
    await outside.closeSubscription();
    await world.work();
    world.advance(60 * SECOND);
    await world.work();
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'cancelled', closable: false });
    expect(await attemptReasons(world, id)).toEqual(['paid']);
    const { build, confirm } = actionsOf(world, wallet, id);
    expect(statusAndCode(await build('close'))).toBe('409 subscription_not_on_chain');
    expect(statusAndCode(await confirm('close', SIGNATURE))).toBe('201');
    expect(statusAndCode(await createCheckout(world, wallet))).toBe('201');
  });

  it('of which a close was built before is closed by the confirm, as if it had been in place', async () => {
    await begin();
    const { world, wallet, id } = opened;
    world.advance((await expiryOf()).getTime() + SECOND - world.now().getTime());
    const { sent, confirm } = actionsOf(world, wallet, id);
    const signature = await sent('close');
    await world.work();
    world.advance(60 * SECOND);
    await world.work();
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'cancelled', closable: false });
    expect(await confirm('close', signature)).toMatchObject({
      status: 201,
      body: { subscription: { status: 'ended', end_reason: 'closed' } },
    });
  });

  it('before the expiry ends as closed_elsewhere', async () => {
    await begin();
    const { world, outside } = opened;
    await outside.remove('subscription');
    world.advance(DAY);
    await world.work();
    world.advance(60 * SECOND);
    await world.work();
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'closed_elsewhere', closable: false });
    expect((await world.storedEvents()).at(-1)).toMatchObject({ type: 'subscription.ended', detail: {} });
  });
});
