import type { ClaimedEndpoint, DeliveryStore, EndpointClaimLimits, EndpointId } from '@subrail/core/ports';
import { sql } from 'kysely';
import { readEach } from '../query/related-rows.js';
import type { DialectTraits, Handle, Session } from '../query/session.js';
import type { SelectedRow } from '../tables/record-table.js';
import { endpointTable } from '../tables/webhooks.js';

const read = endpointTable.decoder();

/**
 * Claims endpoints with due deliveries, by a row for each lease. A claim skips endpoints that another
 * transaction has locked, so a host that freezes within a claim holds up nothing else.
 */
export function endpointClaims({
  traits,
  handle,
  atomically,
}: Session): Pick<DeliveryStore, 'claimEndpoints'>['claimEndpoints'] {
  return async (now, limits, leaseMs) => {
    const held = { now: now.getTime(), longest: now.getTime() + 2 * leaseMs };
    // Read outside of the transaction, so that a claim of nothing waits for no lock.
    const found = await endpointsWithDueDeliveries(handle, held);
    if (found.length === 0) return { claimed: [], unreadable: [] };
    return atomically(async (transaction) => {
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const left = { ...limits };
      const rows: SelectedRow[] = [];
      let waiting = found;
      // Usually one round. Endpoints that others took are replaced by those that follow.
      for (;;) {
        const chosen = firstOf(waiting, left);
        if (chosen.length === 0) break;
        waiting = waiting.filter((one) => !chosen.includes(one));
        const locked = await lockEndpoints(transaction, traits, chosen);
        const won = await lease(transaction, locked, held, leasedUntil);
        for (const one of chosen) {
          const row = won.get(one.id);
          if (row === undefined) continue;
          rows.push(row);
          left[kindOf(one)]--;
        }
      }
      const { readable, unreadable } = readEach(rows, (row): ClaimedEndpoint => ({
        endpoint: read(row),
        leasedUntil,
      }));
      return { claimed: readable, unreadable };
    });
  };
}

/**
 * A lease counts when it ends after `now` and not after `longest`: a later end is of a clock that was ahead.
 */
interface HeldBetween {
  readonly now: number;
  readonly longest: number;
}

interface WaitingEndpoint {
  readonly id: EndpointId;
  readonly failing_since: number | null;
}

function kindOf({ failing_since }: WaitingEndpoint): keyof EndpointClaimLimits {
  return failing_since === null ? 'healthy' : 'failing';
}

/** The first endpoints, as many of each kind as the limits permit. */
function firstOf(
  waiting: readonly WaitingEndpoint[],
  limits: EndpointClaimLimits,
): readonly WaitingEndpoint[] {
  const room = { ...limits };
  return waiting.filter((one) => room[kindOf(one)]-- > 0);
}

/** Reads and locks endpoints, without those that another transaction has locked. */
async function lockEndpoints(
  transaction: Handle,
  { locksRows }: DialectTraits,
  chosen: readonly WaitingEndpoint[],
): Promise<readonly SelectedRow[]> {
  const rows = transaction
    .selectFrom('endpoints')
    .select(endpointTable.selection())
    .where(
      'id',
      'in',
      chosen.map(({ id }) => id),
    );
  // This lock lets commits insert deliveries, which refer to the endpoint.
  return (locksRows ? rows.forNoKeyUpdate().skipLocked() : rows).execute();
}

/** Leases endpoints. Returns the rows of those that no other claim leased meanwhile. */
async function lease(
  transaction: Handle,
  rows: readonly SelectedRow[],
  { now, longest }: HeldBetween,
  leasedUntil: Date,
): Promise<ReadonlyMap<EndpointId, SelectedRow>> {
  const rowOf = new Map(rows.map((row) => [row['id'] as EndpointId, row]));
  if (rowOf.size === 0) return rowOf;
  const leased = await transaction
    .insertInto('endpoint_leases')
    .values([...rowOf.keys()].map((endpoint_id) => ({ endpoint_id, until: leasedUntil.getTime() })))
    .onConflict((conflict) =>
      conflict
        .column('endpoint_id')
        .doUpdateSet({ until: leasedUntil.getTime() })
        .where((row) =>
          row.or([row('endpoint_leases.until', '<=', now), row('endpoint_leases.until', '>', longest)]),
        ),
    )
    .returning('endpoint_id')
    .execute();
  const won = new Set(leased.map(({ endpoint_id }) => endpoint_id));
  return new Map([...rowOf].filter(([id]) => won.has(id)));
}

/**
 * The endpoints with a due delivery that no sender holds, soonest first. It goes from one endpoint with
 * pending deliveries to the next by their index, past backlogs and endpoints without any.
 */
async function endpointsWithDueDeliveries(
  handle: Handle,
  { now, longest }: HeldBetween,
): Promise<readonly WaitingEndpoint[]> {
  const { rows } = await sql<WaitingEndpoint & { readonly soonest: number }>`
    with recursive waiting (endpoint_id) as (
      select min(endpoint_id) from deliveries where state = 'pending'
      union all
      select (
        select min(deliveries.endpoint_id) from deliveries
        where deliveries.state = 'pending' and deliveries.endpoint_id > waiting.endpoint_id
      )
      from waiting where waiting.endpoint_id is not null
    ),
    soonest (endpoint_id, due_at) as (
      select waiting.endpoint_id, (
        select min(deliveries.next_attempt_at) from deliveries
        where deliveries.state = 'pending' and deliveries.endpoint_id = waiting.endpoint_id
      )
      from waiting where waiting.endpoint_id is not null
    )
    select endpoints.id, endpoints.failing_since, soonest.due_at as soonest
    from soonest
    join endpoints on endpoints.id = soonest.endpoint_id
    left join endpoint_leases on endpoint_leases.endpoint_id = soonest.endpoint_id
    where soonest.due_at <= ${now}
      and (coalesce(endpoint_leases.until, 0) <= ${now} or endpoint_leases.until > ${longest})
  `.execute(handle);
  return rows.toSorted((one, other) => one.soonest - other.soonest);
}
