import { toAmountText, toWireDate } from '../../contract/scalars.js';
import type { DuePlace, DueSubscriptions, ReportStore, UnreadableRecord } from '../../ports/index.js';
import type { DueSubscription, Plan, Project } from '../../records/index.js';
import { type Upcoming, upcomingPlanEnd, upcomingTry } from '../../rules/upcoming.js';
import type { Service } from '../../service.js';
import { setAside } from '../read-rows.js';
import { duePlaceId, duePlaceOf } from './due-place.js';
import type { UpcomingPage, UpcomingQuery, UpcomingWire } from './schemas.js';

/** How many subscriptions one read of the store looks at, when those of the first do not fill the page. */
const STEP = 1000;

/** The reads of each list for a page. */
const STEPS = 10;

/** Lists charges, retries and ends of a project, soonest first (management#upcoming-charges). */
export async function listUpcoming(
  service: Service,
  project: Project,
  { limit, starting_after }: UpcomingQuery,
): Promise<UpcomingPage> {
  const { store } = service;
  const after = starting_after === undefined ? null : duePlaceOf(starting_after);
  const lists = await Promise.all([
    readAlong((from, size) => store.listByNextTry(project.id, from, size), upcomingTry, after, limit),
    readAlong((from, size) => store.listByPlanEnd(project.id, from, size), upcomingPlanEnd, after, limit),
  ]);
  // Where one list was not read to its end, the other must not run ahead of it.
  const [reached = null] = lists.flatMap((list) => list.next ?? []).sort(soonestFirst);
  const items = lists
    .flatMap((list) => list.items)
    .filter(({ place }) => reached === null || soonestFirst(place, reached) <= 0)
    .sort((one, other) => soonestFirst(one.place, other.place));
  const shown = items.slice(0, limit);
  const next = items.length > limit ? (shown.at(-1)?.place ?? null) : reached;
  return {
    data: shown.map(({ wire }) => wire),
    has_more: next !== null,
    next: next === null ? null : duePlaceId(next),
    unreadable: setAside(
      service,
      lists.flatMap((list) => list.unreadable),
      'A subscription was left out of what comes next',
    ),
  };
}

interface Listed {
  readonly place: DuePlace;
  readonly wire: UpcomingWire;
}

/** Reads a list until it has more items than a page, in a bounded number of steps. */
async function readAlong(
  read: (after: DuePlace | null, limit: number) => ReturnType<ReportStore['listByNextTry']>,
  upcomingOf: (subscription: DueSubscription, plan: Plan) => Upcoming | null,
  startingAfter: DuePlace | null,
  limit: number,
) {
  const items: Listed[] = [];
  const unreadable: UnreadableRecord[] = [];
  let after = startingAfter;
  for (let step = 0; step < STEPS; step++) {
    const rows: DueSubscriptions = await read(after, step === 0 ? limit + 1 : STEP);
    for (const { subscription, plan } of rows.due) {
      const upcoming = upcomingOf(subscription, plan);
      if (upcoming !== null) items.push(listedOf(upcoming, subscription, plan));
    }
    unreadable.push(...rows.unreadable);
    after = rows.next;
    if (after === null || items.length > limit) break;
  }
  return { items, unreadable, next: after };
}

function listedOf(
  { kind, dueAt, reason }: Upcoming,
  { id, wallet, externalId, email }: DueSubscription,
  plan: Plan,
): Listed {
  const place = { at: dueAt, id };
  return {
    place,
    wire: {
      id: duePlaceId(place),
      kind,
      due_at: toWireDate(dueAt),
      reason,
      subscription: id,
      plan: plan.slug,
      wallet,
      external_id: externalId,
      email,
      amount: kind === 'end' ? null : toAmountText(plan.amount),
      mint: plan.mint,
      decimals: plan.decimals,
    },
  };
}

function soonestFirst(one: DuePlace, other: DuePlace): number {
  return one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
