import type { Batch, BatchCursor, Clock } from '../../ports/index.js';
import { earlier, plus } from '../../rules/billing-periods.js';
import { isWithin } from '../../ports/is-within.js';
import { RETENTION_MS, UNUSED_VISIT_MS } from '../../rules/retention.js';
import type { Service } from '../../service.js';
import { TEST_PENDING_MS, UNFINISHED_TEST } from '../../webhooks/unfinished-test.js';
import type { ClockOfPasses } from '../charges/clock-of-pass.js';
import { createHastening } from './hastening.js';

/** How often everything is looked through: once a day. */
const RUN_EVERY_MS = 24 * 3_600_000;

/**
 * Records of a kind that one batch looks at: few enough that a store which does not yield holds up nobody.
 * With a batch a second, a day has time for 40 million.
 */
const BATCH = 500;

/** The result of one call of `prune`. */
export interface RetentionPass {
  readonly deliveries: number;
  readonly events: number;
  readonly checkouts: number;
  /** Sessions of links that submitted nothing. */
  readonly visits: number;
  readonly sessions: number;
  readonly mails: number;
  /**
   * Whether nothing is left to look at in this run, nor of the deliveries and mails that wait by a clock
   * that was ahead. The next run begins a day after the last began.
   */
  readonly finished: boolean;
}

type Kind = Exclude<keyof RetentionPass, 'finished'>;
type Counts = Readonly<Record<Kind, number>>;

/** Deliveries first: events then have few of them. Checkouts come after their events. */
const ORDER: readonly Kind[] = ['deliveries', 'events', 'checkouts', 'visits', 'sessions', 'mails'];

const NONE: Counts = { deliveries: 0, events: 0, checkouts: 0, visits: 0, sessions: 0, mails: 0 };

/** A run through everything that is old enough. */
interface Run {
  readonly startedAt: Date;
  /** The kinds that are left to look through, the present one first. */
  readonly kinds: readonly Kind[];
  /** Where the next batch of the present kind begins. */
  readonly after: BatchCursor | null;
  readonly deleted: Counts;
}

/**
 * Makes the pass that deletes records older than their retention (events#event-retention,
 * deliveries#delivery-retention, checkout#retention-of-expired-checkouts,
 * checkout-sessions#retention-of-sessions, mails#retention-of-mails), one batch at a call. The calls make a
 * run at first, and then one a day. Each run first fails the tests that were never finished
 * (deliveries#test-delivery), so that their 30 days begin. A call also hastens a batch of deliveries
 * and of mails when due.
 */
export function createRetentionPass(service: Service, clocks: ClockOfPasses): () => Promise<RetentionPass> {
  const { store, clock, wallClock, logger } = service;
  const mayDelete = !service.lacks.has('RetentionStore');
  const kinds = ORDER.filter((kind) => {
    if (kind === 'mails') return !service.lacks.has('MailStore');
    return kind === 'visits' || kind === 'sessions' ? !service.lacks.has('SessionStore') : mayDelete;
  });
  let run: Run | null = null;
  let lastRunAt: Date | null = null;

  const hasten = createHastening(service, BATCH);
  const isRunDue = (now: Date) => lastRunAt === null || !isWithin(lastRunAt, RUN_EVERY_MS, now);
  /** The earlier of the clocks decides, because a wrong one would delete what nothing brings back. */
  const before = (of: Clock, retentionMs = RETENTION_MS) =>
    plus(earlier(of.now(), clocks.known.now()), -retentionMs);
  const deleteBatch: Readonly<Record<Kind, (after: BatchCursor | null) => Promise<Batch>>> = {
    // Attempts are dated by the clock of the host, whatever time the service has.
    deliveries: (after) => store.deleteDeliveries(before(wallClock), BATCH, after),
    events: (after) => store.deleteEvents(before(clock), BATCH, after),
    checkouts: (after) => store.deleteExpiredCheckouts(before(clock), BATCH, after),
    visits: (after) => store.deleteUnusedVisits(before(clock, UNUSED_VISIT_MS), BATCH, after),
    sessions: (after) => store.deleteSessions(before(clock), BATCH, after),
    // Tries are dated by the clock of the host.
    mails: (after) => store.deleteMails(before(wallClock), BATCH, after),
  };
  const begin = async (startedAt: Date): Promise<Run> => {
    const now = wallClock.now();
    if (!service.lacks.has('ManagementStore'))
      await store.failUnfinishedTests(plus(now, -TEST_PENDING_MS), UNFINISHED_TEST, now);
    return { startedAt, kinds, after: null, deleted: NONE };
  };

  return async () => {
    const isHastened = await hasten();
    const now = clock.now();
    if (run === null && !isRunDue(now)) return { ...NONE, finished: isHastened };
    let current = run ?? (await begin(now));
    let pass = NONE;
    // A kind of which nothing is old enough costs no call.
    for (let isBatchMade = false; !isBatchMade;) {
      const [kind, ...rest] = current.kinds;
      if (kind === undefined) break;
      const { changed, next } = await deleteBatch[kind](current.after);
      pass = { ...pass, [kind]: changed };
      current = {
        ...current,
        kinds: next === null ? rest : current.kinds,
        after: next,
        deleted: { ...current.deleted, [kind]: current.deleted[kind] + changed },
      };
      run = current;
      isBatchMade = changed > 0 || next !== null;
    }
    if (current.kinds.length > 0) return { ...pass, finished: false };
    run = null;
    lastRunAt = current.startedAt;
    if (ORDER.some((kind) => current.deleted[kind] > 0))
      logger.info({ ...current.deleted }, 'Records older than their retention were deleted.');
    return { ...pass, finished: isHastened };
  };
}
