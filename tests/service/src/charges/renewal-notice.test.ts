import type { KeyPairSigner } from '@solana/kit';
import type { Chain } from '@subrail/core/ports';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  MINUTE,
  actionsOf,
  DAY,
  HOUR,
  openTestStore,
  openSubscriber,
  type OutsideActions,
  PRICE,
  storedSubscription,
  type TestWorld,
  type CustomerOptions,
  withOutages,
} from '@subrail/test-world';

const faults = { unreachable: false, chargeReads: 0 };

/** The real chain, with an outage while `unreachable`. It counts the batches of charge reads. */
function faulty(chain: Chain): Chain {
  const below = withOutages(chain, () => (faults.unreachable ? { kind: 'transport' } : null));
  return {
    ...below,
    readCharges(targets, commitment) {
      faults.chargeReads += 1;
      return below.readCharges(targets, commitment);
    },
  };
}

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let outside: OutsideActions;
let begunAt: number;

async function begin(options: CustomerOptions = {}): Promise<void> {
  ({ world, wallet, id, outside } = await openSubscriber('paid', { wrapChain: faulty, ...options }));
  begunAt = (await storedSubscription(world, id)).paidPeriodStart?.getTime() ?? NaN;
}

beforeEach(() => Object.assign(faults, { unreachable: false, chargeReads: 0 }));

/** Moves time to this long after the subscription began, and does the work of that instant. */
async function workAt(...afterBegin: readonly number[]): Promise<void> {
  for (const ms of afterBegin) {
    const ahead = begunAt + ms - world.now().getTime();
    if (ahead > 0) world.advance(ahead);
    await world.work();
  }
}

/** Every event after those of the first payment, by its short name and what a notice says. */
async function events(): Promise<readonly string[]> {
  const stored = (await world.storedEvents()).filter(({ subscriptionId }) => subscriptionId === id);
  const inOrder = stored.sort((one, other) => one.sequence - other.sequence);
  return inOrder.slice(2).map(({ type, detail }) => {
    const name = type.replace('subscription.', '');
    if (name !== 'renewal_upcoming') return name;
    const { can_pay, renewal_issue } = detail as Record<string, unknown>;
    return `${name} ${can_pay === true ? 'can pay' : 'cannot pay'}, ${String(renewal_issue)}`;
  });
}

const notice = async () => (await world.storedEvents()).find(({ type }) => type.endsWith('renewal_upcoming'));
const CAN_PAY = 'renewal_upcoming can pay, null';

// events#renewal-notice
describe('the notice of a renewal', () => {
  it('comes a quarter of the period before its end where that is shorter than three days', async () => {
    await begin({ periodHours: 1 });
    await workAt(44 * MINUTE);
    expect(await events()).toEqual([]);
    await workAt(45 * MINUTE, 50 * MINUTE, HOUR);
    expect(await events()).toEqual([CAN_PAY, 'renewed']);
  });

  it.each<[string, () => Promise<void>, string]>([
    ['has closed its token account', () => outside.closeTokenAccount(), 'cannot pay, balance'],
    ['closed its authorisation', () => outside.closeAuthority(), 'cannot pay, authority'],
    ['has a frozen token account', () => outside.freeze('wallet'), 'cannot pay, null'],
    ['could pay, and the plan lacks the charger', () => outside.removeCharger(), 'can pay, null'],
  ])('says of a wallet that %s what the chain shows', async (_, act, expected) => {
    await begin();
    await act();
    await workAt(27 * DAY);
    expect(await events()).toEqual([`renewal_upcoming ${expected}`]);
  });

  it('is raised by one of several hosts', async () => {
    const { store, close } = await openTestStore('sqlite');
    await begin({ store });
    const other = world.host(store);
    world.advance(begunAt + 27 * DAY - world.now().getTime());
    await Promise.all([world.billing.worker.charge(), other.billing.worker.charge()]);
    await world.work();
    expect(await events()).toEqual([CAN_PAY]);
    await close();
  });

  it('is read for many subscriptions in one batch', async () => {
    await begin();
    for (let n = 0; n < 4; n++) await world.subscribe(await world.wallet(PRICE));
    // The daily reads of the chain are made before.
    await workAt(27 * DAY - MINUTE);
    faults.chargeReads = 0;
    await workAt(27 * DAY + MINUTE);
    expect(faults.chargeReads).toBe(1);
    expect((await world.events()).filter((name) => name === 'renewal_upcoming')).toHaveLength(5);
  });

  it('is not raised while the seat is parked', async () => {
    await begin();
    await world.inNewBlock(() => world.billing.project(world.projectId).update({ subscriber_limit: 0 }));
    await workAt(27 * DAY, 28 * DAY);
    expect(await events()).toEqual(['paused']);
    await world.inNewBlock(() => world.billing.project(world.projectId).update({ subscriber_limit: null }));
    await world.work();
    expect(await events()).toEqual(['paused', 'unpaused', CAN_PAY]);
  });

  it('is not raised once cancelled, and not again after a resume', async () => {
    await begin();
    const { act } = actionsOf(world, wallet, id);
    await workAt(20 * DAY);
    await act('cancel');
    await workAt(27 * DAY);
    expect(await events()).toEqual(['cancelled']);
    await act('resume');
    await world.work();
    await act('cancel');
    await act('resume');
    await world.work();
    expect(await events()).toEqual(['cancelled', 'resumed', CAN_PAY, 'cancelled', 'resumed']);
  });

  it('gives way to a cancellation that the read finds', async () => {
    await begin();
    await outside.cancel();
    await workAt(27 * DAY);
    expect(await events()).toEqual(['cancelled']);
  });
});

// events#renewal-notice-after-its-date
describe('a notice that is late', () => {
  it('follows a payment at once that comes after its date', async () => {
    await begin({ periodHours: 1, tokens: PRICE });
    await workAt(HOUR, 75 * MINUTE, 90 * MINUTE);
    await world.give(wallet, 5n * PRICE);
    await workAt(106 * MINUTE);
    const failures = ['payment_failed', 'payment_failed', 'payment_failed'];
    expect(await events()).toEqual([...failures, 'renewed', CAN_PAY]);
  });

  it.each<[string, () => Promise<unknown>, readonly string[]]>([
    [
      'a resume',
      async () => {
        const { act } = actionsOf(world, wallet, id);
        await act('cancel');
        await act('resume');
      },
      ['cancelled', 'resumed'],
    ],
    [
      'a returned seat',
      async () => {
        const project = world.billing.project(world.projectId);
        await world.inNewBlock(() => project.update({ subscriber_limit: 0 }));
        await world.inNewBlock(() => project.update({ subscriber_limit: null }));
      },
      ['paused', 'unpaused'],
    ],
  ])(
    'is brought at once by %s while it waits for the chain, and not a second time',
    async (_, act, raised) => {
      await begin();
      faults.unreachable = true;
      await workAt(27 * DAY);
      faults.unreachable = false;
      await act();
      await world.work();
      expect(await events()).toEqual([...raised, CAN_PAY]);
      await act();
      await workAt(27 * DAY + 7 * HOUR);
      expect(await events()).toEqual([...raised, CAN_PAY, ...raised]);
    },
  );

  it('is left out when the chain answers only after the end of the period', async () => {
    await begin({ periodHours: 1 });
    faults.unreachable = true;
    await workAt(45 * MINUTE, 55 * MINUTE, 59 * MINUTE);
    faults.unreachable = false;
    await workAt(HOUR);
    expect(await events()).toEqual(['renewed']);
  });

  it('comes at once after a jump into the time between its date and the end of the period', async () => {
    await begin();
    await workAt(29 * DAY);
    expect(await events()).toEqual([CAN_PAY]);
    expect((await notice())?.createdAt).toEqual(new Date(begunAt + 29 * DAY));
  });
});
