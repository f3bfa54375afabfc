import type { Clock, Logger, AlertNotification, AlertNotifier, Alert, AlertKind } from '../ports/index.js';
import { type Sighting, AlertStates } from './alert-states.js';
import { within } from './within.js';

/** How long a call of the alert notifier may take before the next one is made. */
const NOTIFY_MS = 30_000;

/** How many notifications may wait for the port. Beyond that the oldest are dropped; the log has them. */
const MOST_WAITING = 100;

/**
 * The alerts on the service's own side. Every sighting is reported; the log, `/health`, the metrics and the
 * notifications derive from them. Each alert is logged and notified once when it begins and once when
 * it ends.
 */
export interface Alerts {
  /** Reports that an alert was seen. The error, if there is one, goes to the log only. */
  seen(sighting: Sighting & { readonly err?: unknown }): void;
  /** Reports that an alert is over, even one that never began. `why` says which of several reasons it was. */
  over(kind: AlertKind, subject?: string | null, why?: string): void;
  /** Every alert that lasts, the oldest first. */
  open(): readonly Alert[];
}

/** Creates the alerts of a service, of which there are none yet. */
export function createAlerts({
  clock,
  logger,
  alertNotifier,
}: {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Null: alerts are only logged. */
  readonly alertNotifier: AlertNotifier | null;
}): Alerts {
  const states = new AlertStates();
  const tell = alertNotifier === null ? () => undefined : createTeller(alertNotifier, clock, logger);

  const report = (changed: readonly AlertNotification[], err?: unknown) => {
    for (const notification of changed) {
      const { key, severity, message, facts } = notification;
      const logged = { alert: key, ...facts, ...(err === undefined ? {} : { err }) };
      if (notification.change === 'ended') logger.info(logged, message);
      else if (severity === 'error') logger.error(logged, message);
      else logger.warn(logged, message);
      tell(notification);
    }
  };

  return {
    seen({ err, ...sighting }) {
      report(states.seen(sighting, clock.now()), err);
    },
    over(kind, subject = null, why) {
      report(states.over(kind, subject, clock.now(), why));
    },
    open() {
      report(states.settle(clock.now()));
      return states.open();
    },
  };
}

/** Sends notifications one after the other, without holding up their reporter (alerts#notifications). */
function createTeller(
  alertNotifier: AlertNotifier,
  clock: Clock,
  logger: Logger,
): (notification: AlertNotification) => void {
  const waiting: AlertNotification[] = [];
  let telling = false;

  const tellOne = async (notification: AlertNotification): Promise<void> => {
    try {
      // The adapter is called in a later turn, so that an exception of it is a rejection here.
      const told = Promise.resolve().then(() => alertNotifier.notify(notification));
      if ((await within(clock, NOTIFY_MS, told)) === 'too_late')
        logger.warn({ alert: notification.key }, 'A notification was not accepted in time. It is given up.');
    } catch (err) {
      logger.warn({ alert: notification.key, err }, 'A notification could not be sent. It is given up.');
    }
  };
  const tellAll = async (): Promise<void> => {
    telling = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await tellOne(next);
    telling = false;
  };

  return (notification) => {
    waiting.push(notification);
    if (waiting.length > MOST_WAITING) {
      const given = waiting.shift();
      logger.warn({ alert: given?.key }, 'Too many notifications wait. The oldest is given up.');
    }
    if (!telling) void tellAll();
  };
}
