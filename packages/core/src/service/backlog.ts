import type { Clock } from '../ports/index.js';
import type { Service } from '../service.js';

/** The most that is counted of each kind: beyond it the number does not matter, and counting would take long. */
const MOST = 10_000;

/** What waits to be done, of every project. Each number is at most 10,000, and then there may be more. */
export interface BacklogFigures {
  /** Subscriptions for which something is due: a charge, a look-up, a notice, an expiry. */
  readonly wakes: number;
  /** Those of them that wait for a charge, a retry, or the outcome of one. */
  readonly charges: number;
  /** Webhooks that are not delivered yet, whether their next attempt is due or not. */
  readonly deliveries: number;
  /** For how many seconds the oldest of these webhooks has not been delivered; 0 without one. */
  readonly oldestDeliverySeconds: number;
  /** For how many seconds the oldest event has been held, because its snapshot cannot be made; 0 without one. */
  readonly oldestHeldEventSeconds: number;
}

/** For how many seconds the oldest subscription has been due, and the oldest webhook. */
export interface OverdueSeconds {
  readonly charges: number;
  readonly deliveries: number;
}

/** Reads what waits. Returns null while the store fails, which the passes report, or lacks `ReportStore`, which the start does. */
export async function readBacklog({
  store,
  clock,
  wallClock,
}: Service): Promise<{ readonly backlog: BacklogFigures; readonly overdueSeconds: OverdueSeconds } | null> {
  try {
    const [counted, charge, delivery] = await Promise.all([
      store.countBacklog(clock.now(), MOST),
      store.nextWakeAt(),
      store.nextDeliveryAt(),
    ]);
    const { oldestDeliveryAt, oldestHeldEventAt, ...numbers } = counted;
    return {
      backlog: {
        ...numbers,
        oldestDeliverySeconds: secondsSince(oldestDeliveryAt, wallClock),
        oldestHeldEventSeconds: secondsSince(oldestHeldEventAt, clock),
      },
      overdueSeconds: {
        charges: secondsSince(charge, clock),
        deliveries: secondsSince(delivery, wallClock),
      },
    };
  } catch {
    return null;
  }
}

function secondsSince(date: Date | null, by: Clock): number {
  return date === null ? 0 : Math.max(0, (by.now().getTime() - date.getTime()) / 1_000);
}
