import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables/database.js';
import { MoveRefused } from './claim.js';

/** Queries for rows that break what no index or foreign key guards. */
const INVARIANTS: readonly { readonly what: string; readonly broken: string }[] = [
  {
    what: 'the counter of a project is behind the positions of its events',
    broken: `select events.project_id as id
      from (select project_id, max(position) as last from events where position is not null group by project_id) as events
      left join project_counters on project_counters.project_id = events.project_id
      where project_counters.last_position is null or project_counters.last_position < events.last`,
  },
  {
    what: 'the receipts of a project are not numbered without gaps up to its counter',
    broken: `select receipts.project_id as id
      from (select project_id, max(receipt_number) as last, count(*) as number from attempts
        where receipt_number is not null group by project_id) as receipts
      left join project_counters on project_counters.project_id = receipts.project_id
      where project_counters.last_receipt is distinct from receipts.last or receipts.number <> receipts.last`,
  },
  {
    what: 'a subscription is found by other dates than it has',
    broken: `select subscriptions.id from subscriptions
      left join subscription_dates on subscription_dates.subscription_id = subscriptions.id
      where subscription_dates.status is distinct from subscriptions.status
        or subscription_dates.wake_at is distinct from subscriptions.wake_at
        or subscription_dates.next_try_at is distinct from subscriptions.next_try_at
        or subscription_dates.access_ends_at is distinct from subscriptions.access_ends_at`,
  },
  {
    what: 'a subscription has an event with a later sequence number than its last',
    broken: `select subscriptions.id
      from (select subscription_id, max(sequence) as last from events group by subscription_id) as events
      join subscriptions on subscriptions.id = events.subscription_id
      where subscriptions.last_sequence < events.last`,
  },
];

/**
 * Checks what holds between tables.
 * @throws MoveRefused with the first row that breaks it
 */
export async function requireInvariants(db: Kysely<Database>): Promise<void> {
  for (const { what, broken } of INVARIANTS) {
    const [row] = (await sql<{ id: string }>`${sql.raw(broken)} limit 1`.execute(db)).rows;
    if (row !== undefined)
      throw new MoveRefused(
        `The records are the same in both databases, but broken in both: ${what} (${row.id}). ` +
          'Cancel the move, and ask the doctor about the database: "subrail doctor".',
      );
  }
}
