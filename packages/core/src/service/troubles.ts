import type { Clock, Logger, Notice, Notices, Trouble, TroubleKind } from '../ports/index.js';
import { type Sighting, TroubleStates } from './trouble-states.js';
import { within } from './within.js';

/** How long a call of the notices port may take before the next one is made. */
const NOTICE_MS = 30_000;

/** How many notices may wait for the port. Beyond that the oldest are given up, as the log has them too. */
const MOST_WAITING = 100;

/**
 * What goes wrong on the service's own side. Whoever sees a trouble reports it, as often as it is seen. The log, `/health`,
 * the metrics and the notices all derive from it, and each trouble is logged and told of once when it begins and once when
 * it ends.
 */
export interface Troubles {
  /** Reports that a trouble was seen. The error, if there is one, goes to the log only. */
  seen(sighting: Sighting & { readonly err?: unknown }): void;
  /** Reports that a trouble is over, which it may have been before, and in a sentence why, where there are several reasons. */
  over(kind: TroubleKind, subject?: string | null, why?: string): void;
  /** Every trouble that lasts, the oldest first. */
  open(): readonly Trouble[];
}

/** Creates the troubles of a service, of which there are none yet. */
export function createTroubles({
  clock,
  logger,
  notices,
}: {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Null: nobody is told. */
  readonly notices: Notices | null;
}): Troubles {
  const states = new TroubleStates();
  const tell = notices === null ? () => undefined : createTeller(notices, clock, logger);

  const report = (changed: readonly Notice[], err?: unknown) => {
    for (const notice of changed) {
      const { key, severity, message, facts } = notice;
      const logged = { trouble: key, ...facts, ...(err === undefined ? {} : { err }) };
      if (notice.change === 'ended') logger.info(logged, message);
      else if (severity === 'error') logger.error(logged, message);
      else logger.warn(logged, message);
      tell(notice);
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

/** Tells of one notice after the other, without holding up whoever reports a trouble (troubles#notices). */
function createTeller(notices: Notices, clock: Clock, logger: Logger): (notice: Notice) => void {
  const waiting: Notice[] = [];
  let telling = false;

  const tellOne = async (notice: Notice): Promise<void> => {
    try {
      // The adapter is called in a later turn, so that an exception of it is a rejection here.
      const told = Promise.resolve().then(() => notices.notify(notice));
      if ((await within(clock, NOTICE_MS, told)) === 'too_late')
        logger.warn({ trouble: notice.key }, 'A notice was not accepted in time. It is given up.');
    } catch (err) {
      logger.warn({ trouble: notice.key, err }, 'A notice could not be told. It is given up.');
    }
  };
  const tellAll = async (): Promise<void> => {
    telling = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await tellOne(next);
    telling = false;
  };

  return (notice) => {
    waiting.push(notice);
    if (waiting.length > MOST_WAITING) {
      const given = waiting.shift();
      logger.warn({ trouble: given?.key }, 'Too many notices wait. The oldest is given up.');
    }
    if (!telling) void tellAll();
  };
}
