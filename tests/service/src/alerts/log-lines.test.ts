import {
  actionsOf,
  DAY,
  MINUTE,
  openTestWorld,
  PRICE,
  submitCheckout,
  withOutages,
  type IssuedCheckout,
  type TestWorld,
} from '@subrail/test-world';
import { expect, it } from 'vitest';
import { openStopped } from '../coming-back/stopped-customer.js';

let world: TestWorld;

/** The lines of the log at info, each with the facts that are named. */
function lines(...names: readonly string[]): readonly string[] {
  return world.log.entries
    .filter(({ level, facts }) => level === 'info' && 'subscription' in facts)
    .map(({ message, facts }) =>
      [
        message,
        ...names.flatMap((name) => (name in facts ? [`${name} ${String(Reflect.get(facts, name))}`] : [])),
      ].join(' '),
    );
}

// alerts#log-of-charges-and-subscriptions
it('has a line for each charge and each change of a subscription, in the order in which they happened', async () => {
  world = await openTestWorld({ tier: 'dev' });
  const wallet = await world.wallet(2n * PRICE);
  const id = await world.subscribe(wallet, 'customer-7');
  world.advance(30 * DAY);
  await world.work();
  world.advance(30 * DAY);
  await world.work();
  await world.give(wallet, 5n * PRICE);
  world.advance(DAY);
  await world.work();
  const { act } = actionsOf(world, wallet, id);
  await act('cancel');
  await act('resume');
  await act('cancel');
  world.advance(60 * DAY);
  await world.work();
  await world.call('POST', '/subscriptions', {
    plan: 'pro',
    wallet: (await world.wallet(PRICE)).address,
    external_id: 'customer-8',
  });
  world.advance(DAY);
  await world.work();

  expect(lines('reason', 'trigger', 'retry', 'customer')).toEqual([
    'A checkout was opened. customer customer-7',
    'A checkout was submitted. Its transaction is sent. customer customer-7',
    'A charge was paid. customer customer-7',
    'A subscription was created. customer customer-7',
    'A charge was sent. trigger schedule customer customer-7',
    'A charge was paid. customer customer-7',
    'A charge failed. reason insufficient_balance customer customer-7',
    'A charge was sent. trigger retry customer customer-7',
    'A charge was paid. retry 1 customer customer-7',
    'A subscription was cancelled. customer customer-7',
    'A subscription was resumed. customer customer-7',
    'A subscription was cancelled. customer customer-7',
    'The access of a subscription ended by its date. customer customer-7',
    'A subscription ended. reason cancelled customer customer-7',
    'A checkout was opened. customer customer-8',
    'A checkout expired. customer customer-8',
  ]);
  const paid = world.log.entries.find(({ message }) => message === 'A charge was paid.')?.facts;
  expect(paid).toEqual({
    ...{ project: world.projectId, subscription: id, customer: 'customer-7' },
    ...{ plan: (await world.plan('pro')).id, slug: 'pro', mint: world.token.mint, amount: PRICE.toString() },
    period_start: expect.any(String) as string,
    signature: expect.any(String) as string,
    paid_until: expect.any(String) as string,
  });
  const failed = world.log.entries.find(({ message }) => message === 'A charge failed.')?.facts;
  expect(failed).toMatchObject({
    reason: 'insufficient_balance',
    next_attempt_at: expect.any(String) as string,
  });
});

// alerts#log-of-charges-and-subscriptions
it('has a line for a charge that is blocked, with the date of the next try', async () => {
  world = await openTestWorld();
  await world.subscribe(await world.wallet(5n * PRICE));
  world.injectFaults((chain) => withOutages(chain, () => ({ kind: 'transport' })));
  world.advance(30 * DAY);
  await world.billing.worker.charge();
  expect(lines('reason').at(-1)).toBe('A charge is blocked. reason transport');
});

// alerts#log-of-charges-and-subscriptions
it('has a line for an end by a change of plan', async () => {
  world = await openTestWorld();
  const wallet = await world.wallet(5n * PRICE);
  const old = await world.subscribe(wallet);
  await world.publishPlan(world.projectId, 'basic');
  const change = { plan: 'basic', wallet: wallet.address, replaces: old };
  const { body } = await world.call('POST', '/subscriptions', change);
  await submitCheckout(world, wallet, body as unknown as IssuedCheckout);
  expect(lines('reason').slice(-2)).toEqual([
    'A subscription was created.',
    'A subscription ended. reason plan_changed',
  ]);
});

// alerts#log-of-charges-and-subscriptions
it('has a line for the cancellation of a comeback that was cancelled before it was settled', async () => {
  const stopped = await openStopped();
  ({ world } = stopped);
  await stopped.unsettledComeback();
  await stopped.cancelOld();
  world.clearFaults();
  world.advance(MINUTE);
  await world.work();
  expect((await world.events()).slice(-3)).toEqual(['created', 'cancelled', 'access_granted']);
  expect(lines().slice(-4)).toEqual([
    'A charge was paid.',
    'A subscription was created.',
    'A subscription was cancelled.',
    'A subscription was replaced by a comeback.',
  ]);
});
