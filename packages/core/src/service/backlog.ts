import type { Clock } from '../ports/index.js';
import type { Service } from '../service.js';

/** The most that is counted of each kind: counting more takes long and says nothing more. */
const MOST = 10_000;

/** The work that waits, of every project. */
export type Waiting = Readonly<{
  /** For how many seconds the oldest subscription has been due, and the oldest webhook. */
  overdueSeconds: Readonly<Record<'charges' | 'deliveries', number>>;
  /** Each count is at most 10,000, and then there may be more. */
  backlog: Readonly<{
    /** Subscriptions for which something is due: a charge, a look-up, a notice, an expiry. */
    wakes: number;
    /** The wakes of them that wait for a charge, a retry, or the outcome of one. */
    charges: number;
    /** Webhooks that are not delivered yet, whether their next attempt is due or not. */
    deliveries: number;
    /** For how many seconds the oldest of these webhooks has not been delivered; 0 without one. */
    oldestDeliverySeconds: number;
    /** For how many seconds the oldest event has been held for want of a snapshot; 0 without one. */
    oldestHeldEventSeconds: number;
  }>;
}>;

/** Reads the waiting work. Returns null while the store fails, or when it lacks `ReportStore`. */
export async function readWaiting({ store, clock, wallClock }: Service): Promise<Waiting | null> {
  try {
    const [{ oldestDeliveryAt, oldestHeldEventAt, ...counts }, charge, delivery] = await Promise.all([
      store.countBacklog(clock.now(), MOST),
      store.nextWakeAt(),
      store.nextDeliveryAt(),
    ]);
    return {
      overdueSeconds: { charges: secondsSince(charge, clock), deliveries: secondsSince(delivery, wallClock) },
      backlog: {
        ...counts,
        oldestDeliverySeconds: secondsSince(oldestDeliveryAt, wallClock),
        oldestHeldEventSeconds: secondsSince(oldestHeldEventAt, clock),
      },
    };
  } catch {
    return null;
  }
}

function secondsSince(date: Date | null, by: Clock): number {
  return date === null ? 0 : Math.max(0, (by.now().getTime() - date.getTime()) / 1_000);
}
