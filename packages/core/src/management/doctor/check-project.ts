import { Unavailable } from '../../ports/unavailable.js';
import type { Plan, Project } from '../../records/index.js';
import { limitsOf } from '../../rules/project-limits.js';
import { seatsOf } from '../../rules/seats.js';
import type { Service } from '../../service.js';
import { TURN_ON_AGAIN } from '../../service/alert-kinds.js';
import { REPORT } from './examined-subscription.js';
import { noteSubscribers } from './note-subscribers.js';
import type { FindingWire } from './schemas.js';

const MOST_NAMED = 100;

/** Checks what belongs to a project as a whole: its seats, its plans, and its endpoints. */
export async function checkProject(
  service: Service,
  project: Project,
): Promise<{ readonly findings: readonly FindingWire[]; readonly notes: readonly FindingWire[] }> {
  const { store, clock, logger, settings } = service;
  const findings: FindingWire[] = [];
  let plans: readonly Plan[] = [];
  const { subscribers: limit } = limitsOf(project, settings.tiers);
  const now = clock.now();
  if (limit !== null && (await store.findSeats(project.id, [], now, limit + 1)).seats > limit) {
    const over = await store.listSeatsOver(project.id, limit, now, MOST_NAMED);
    const { subscriptions } = await store.findSeats(project.id, over, now, 0);
    const seats = seatsOf(over, subscriptions, now);
    findings.push({
      check: 'seats_within_the_limit',
      rows: [project.id, ...seats.flat().map(({ id }) => id)],
      what: `The project has more than its ${limit} seats taken.`,
      remedy: 'The hourly sweep parks those that were confirmed last; when it does not, read the log.',
    });
  }
  try {
    plans = await store.listPlans(project.id, null);
  } catch (err) {
    // A store that cannot serve now says nothing about a row.
    if (err instanceof Unavailable) throw err;
    logger.error({ project: project.id, err }, 'A plan of a project cannot be read from the store.');
    findings.push({
      check: 'rows_can_be_read',
      rows: [project.id],
      what: 'A plan of the project cannot be read: its row is damaged, or a newer release wrote it. Its end is not noticed meanwhile.',
      remedy:
        'Read the log, which names the plan every minute, and mend the row or restore it from a backup.',
    });
  }
  const { endpoints, unreadable } = await store.listEndpoints(project.id);
  for (const { id } of unreadable)
    findings.push({
      check: 'rows_can_be_read',
      rows: [id],
      what: 'An endpoint cannot be read: its row is damaged, or a newer release wrote it. Nothing is sent to it meanwhile.',
      remedy: 'Mend the row or restore it from a backup; then recover the events that it missed.',
    });
  const notes: FindingWire[] = [];
  for (const { id, enabled, disabledReason } of endpoints) {
    if (enabled) continue;
    if (disabledReason !== null)
      notes.push({
        check: 'endpoints_are_not_turned_off',
        rows: [id],
        what: `The service turned the endpoint off, because it ${disabledReason === 'gone' ? 'answered 410' : 'failed for three days'}. Its events are not sent.`,
        remedy: TURN_ON_AGAIN,
      });
    const pending = await store.listProjectDeliveries(
      project.id,
      { endpointId: id, eventId: null, state: 'pending' },
      { limit: 1, startingAfter: null },
    );
    if (pending !== 'unknown_cursor' && pending.data.length > 0)
      findings.push({
        check: 'disabled_endpoints_wait_for_nothing',
        rows: [id, ...pending.data.map((delivery) => delivery.id)],
        what: 'A delivery to a disabled endpoint is pending.',
        remedy: REPORT,
      });
  }
  return { findings, notes: [...notes, ...(await noteSubscribers(service, project, plans))] };
}
