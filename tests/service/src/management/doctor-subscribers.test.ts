import {
  MONTH,
  openCustomer,
  openSubscriber,
  type Subscriber,
  DAY,
  HOUR,
  statusAndCode,
  type TestWorld,
} from '@subrail/test-world';
import { describe, expect, it } from 'vitest';
import { openStopped } from '../coming-back/stopped-customer.js';

const MISSING = 'subscriptions_on_chain_are_on_record';
const CAME_BACK = 'comebacks_on_chain_are_on_record';

/** What the doctor notes, as the check and the rows behind the plan. */
async function notes(world: TestWorld): Promise<readonly string[]> {
  const { notes } = await world.billing.project(world.projectId).doctor.examine();
  return notes.map(({ check, rows: [plan, ...rows] }) => {
    expect(plan).toMatch(/^plan_/);
    return `${check} ${rows.join(' ')}`;
  });
}

/** The wallet cancels, and closes after the end; the service records both or only the cancellation. */
async function leave({ world, outside, cancel, id }: Subscriber): Promise<void> {
  await cancel(id);
  world.advance(MONTH + HOUR);
  await outside.closeSubscription();
}

/** What a wallet has on chain, and whether an account of it is on record. */
const ON_CHAIN: readonly [what: string, noted: boolean, act: (paid: Subscriber) => Promise<void>][] = [
  ['pays, and is on record', false, async () => {}],
  [
    'closed its subscription, and subscribed again',
    true,
    async (paid) => {
      await leave(paid);
      await paid.world.work();
      expect(await paid.read(paid.id)).toMatchObject({ status: 'ended' });
      await paid.outside.subscribe();
    },
  ],
  [
    'closed its cancelled subscription, and subscribed again, all since the records',
    true,
    async (paid) => {
      await leave(paid);
      await paid.outside.subscribe();
    },
  ],
  [
    'subscribed again on the same second of the billing grid',
    true,
    async (paid) => {
      await leave(paid);
      await paid.world.work();
      paid.world.advance(MONTH - HOUR);
      await paid.outside.subscribe();
    },
  ],
  [
    'closed its subscription, and has no other',
    false,
    async (paid) => {
      await leave(paid);
      await paid.world.work();
    },
  ],
  [
    'has a subscription that ended with its plan',
    false,
    async ({ world, outside, read, id }) => {
      await outside.endAt(new Date(world.now().getTime() + MONTH + DAY));
      for (const passes of [MONTH, DAY + HOUR]) {
        world.advance(passes);
        await world.work();
      }
      expect(await read(id)).toMatchObject({ status: 'ended', end_reason: 'plan_ended' });
    },
  ],
];

// management#doctor
describe('the doctor compares the subscriptions of a plan on chain with the records, when a wallet', () => {
  it.each(ON_CHAIN)('%s: noted %s', async (_, noted, act) => {
    const paid = await openSubscriber('paid');
    await act(paid);
    expect(await notes(paid.world)).toEqual(noted ? [`${MISSING} ${paid.wallet.address}`] : []);
  });

  it('subscribed while its checkout on record waits for a signature', async () => {
    const { world, wallet, outside, issue } = await openCustomer();
    await issue();
    await outside.subscribe();
    expect(await notes(world)).toEqual([`${MISSING} ${wallet.address}`]);
  });

  it('paid for a stopped subscription', async () => {
    const { world, outside, old, create } = await openStopped();
    expect(await notes(world)).toEqual([]);
    await outside.pullAsOwner();
    expect(statusAndCode(await create())).toBe('409 comeback_landed');
    expect(await notes(world)).toEqual([`${CAME_BACK} ${old}`]);
  });

  it('paid for a comeback whose outcome is not known yet, and noted nothing', async () => {
    const { world, unsettledComeback } = await openStopped();
    await unsettledComeback();
    expect(await notes(world)).toEqual([]);
  });
});
