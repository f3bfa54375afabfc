import type { RetentionStore, Store } from '../../../ports/store.js';
import type { Delivery } from '../../../records/index.js';
import { expectThat } from '../../expect-that.js';
import { afterFailure, storeDeliveries } from '../delivery-fixture.js';
import { expectEqual } from '../expect.js';
import { at, storeFixture } from '../fixture.js';
import type { RawReader, StoreTests } from '../store-under-test.js';

/** Deliveries that wait by a clock that was ahead are made due. */
export const hastenedDeliveryTests: StoreTests<Store & RetentionStore> = {
  'hastens the deliveries that wait by a clock that was ahead, and no others': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const resent = { attempts: 3, attemptsBefore: 3, nextAttemptAt: at(802) };
    const rows = [at(801), at(1), at(1), resent];
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, rows);
    const [unsent, ahead, waiting, again] = deliveries;
    expectThat(
      unsent !== undefined && ahead !== undefined && waiting !== undefined && again !== undefined,
      'four deliveries',
    );
    const failed = (delivery: Delivery, startedAt: Date) => {
      const result = afterFailure(delivery, at(900));
      return { ...result, attempt: { ...result.attempt, startedAt } };
    };
    await store.settleDeliveries([failed(ahead, at(800)), failed(waiting, at(5))]);
    const hasten = async (after: Date, to: Date) =>
      (await store.hastenDeliveries(after, to, 9, null)).changed;
    expectEqual(await hasten(at(900), at(20)), 0, 'how many wait for a later date');
    expectEqual(await hasten(at(10), at(20)), 3, 'how many it hastened');
    expectEqual(
      await datesOf(raw, [unsent, ahead, waiting, again]),
      [at(20), at(20), at(900), at(20)],
      'when the deliveries are due',
    );
    expectEqual(await hasten(at(30), at(40)), 0, 'how many it hastened again');
  },

  'hastens a batch of deliveries at a time, soonest first, then by id': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const dates = [at(900), at(1), at(800), at(800), at(700)];
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, dates);
    const [last, retried, one, other, first] = deliveries;
    expectThat(
      last !== undefined &&
        retried !== undefined &&
        one !== undefined &&
        other !== undefined &&
        first !== undefined,
      'five deliveries',
    );
    const retry = afterFailure(retried, at(750));
    await store.settleDeliveries([{ ...retry, attempt: { ...retry.attempt, startedAt: at(5) } }]);
    const [lower, higher] = one.id < other.id ? [one, other] : [other, one];
    const dueAt = () => datesOf(raw, [first, retried, lower, higher, last]);

    const batch = await store.hastenDeliveries(at(10), at(6), 3, null);
    expectEqual(batch, { changed: 2, next: { at: at(800), id: lower.id } }, 'the first batch of three');
    expectEqual(await dueAt(), [at(6), at(750), at(6), at(800), at(900)], 'when the deliveries are due then');
    const rest = await store.hastenDeliveries(at(11), at(7), 3, batch.next);
    expectEqual(rest, { changed: 2, next: null }, 'the batch after it');
    expectEqual(await dueAt(), [at(6), at(750), at(6), at(7), at(7)], 'when the deliveries are due at last');
  },
};

/** When deliveries are due. */
function datesOf(raw: RawReader, deliveries: readonly Delivery[]): Promise<readonly (Date | null)[]> {
  return Promise.all(
    deliveries.map(async ({ id }) => {
      const dueAt = (await raw.delivery(id))?.nextAttemptAt ?? null;
      return dueAt === null ? null : new Date(dueAt);
    }),
  );
}
