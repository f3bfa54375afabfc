import { MADE_AT, type anId } from '@subrail/core/testing';
import { sql, type Kysely } from 'kysely';
import { schemaIndexes } from '../../migrations/indexes.js';
import type { Database } from '../../tables/database.js';

const DAY = 86_400_000;

/** A prime above every number of rows, which shuffles ids: real ids are random. */
const PRIME = 1_000_003;

/** The instant at which the rows are looked at: about one subscription in a hundred is due. */
export const LARGE_NOW = new Date(MADE_AT.getTime() + 36 * DAY);

/**
 * The last 30 days, and the number of their first row. They begin in the middle of a million rows, one for
 * each second, so that a list of these days ends long before its index does.
 */
export const LARGE_WINDOW = {
  begin: new Date(LARGE_NOW.getTime() - 30 * DAY),
  firstRow: (6 * DAY) / 1_000,
};

const START = MADE_AT.getTime();
const NOW = LARGE_NOW.getTime();

/** The number of the row in an id, always of ten digits. */
const shuffled = `(1000000000 + (i * 48271) % ${PRIME})`;
const id = (kind: string, number = shuffled) => `('${kind}_00000000000000' || ${number})`;
/** Of a hundred: 88 active, 2 unpaid, 3 cancelled, 3 ended, 2 stopped, 1 pending and 1 expired. */
const status = `case when i % 100 < 88 then 'active' when i % 100 < 90 then 'unpaid' when i % 100 < 93 then 'cancelled'
  when i % 100 < 96 then 'ended' when i % 100 < 98 then 'stopped' when i % 100 < 99 then 'pending' else 'expired' end`;

/** The id of subscription number `i` and of what belongs to it, or of a number that an id has itself. */
export function largeId<Kind extends Parameters<typeof anId>[0]>(
  kind: Kind,
  i: number,
): ReturnType<typeof anId<Kind>> {
  const number = i >= 1_000_000_000 ? i : 1_000_000_000 + ((i * 48_271) % PRIME);
  return `${kind}_00000000000000${number}` as unknown as ReturnType<typeof anId<Kind>>;
}

/**
 * The statements that fill the tables: each subscription has a transfer, an attempt, an event and a delivery.
 */
function statements(count: number, projects: number): readonly string[] {
  // Half of all is in one project, and the rest in the others.
  const project = `case when i % 2 = 0 then 0 else 1 + (i / 2) % ${projects - 1} end`;
  const placeInProject = `case when i % 2 = 0 then i / 2 else (i / 2) / ${projects - 1} + 1 end`;
  const projectId = id('proj', `(1000000000 + ${project})`);
  // Each project has ten plans, ten endpoints and ten keys.
  const tenOfProject = `(1000000000 + 10 * (${project}) + (i / 20) % 10)`;
  const planId = id('plan', tenOfProject);
  const endpointId = id('whe', tenOfProject);
  const upTo = (last: number) =>
    `with recursive n(i) as (select cast(1 as bigint) union all select i + 1 from n where i < ${last})`;
  const each = upTo(count);
  return [
    `insert into chain_identity (id, genesis_hash, network, charger) values (1, 'genesis', 'devnet', 'charger')`,
    `insert into projects (id, name, tier, created_at) ${upTo(projects)}
      select ${id('proj', '(999999999 + i)')}, 'Shop', 'business', ${START} from n`,
    `insert into project_looks (project_id, accent) select id, '#1f55c9' from projects`,
    `insert into api_keys (id, project_id, hash, created_at) ${upTo(10 * projects)}
      select ${id('key', '(999999999 + i)')}, ${id('proj', '(1000000000 + (i - 1) / 10)')}, 'hash ' || i, ${START} from n`,
    `insert into plans (id, project_id, version, status, slug, name, owner, number, address, created_on_chain_at, mint,
        token_program, decimals, amount, period_hours, destinations, operator_plan, one_per_customer,
        ends_at, next_check_at, created_at)
      ${upTo(10 * projects)}
      select ${id('plan', '(999999999 + i)')}, ${id('proj', '(1000000000 + (i - 1) / 10)')}, 1, 'active', 'plan-' || i,
        'Plan ' || i, 'Merchant', cast(i as text), 'Plan' || i, ${START}, 'Mint', 'Token', 6, '10000000', 720, '[]', 0, 0,
        case when i % 10 = 1 then ${NOW} + i end, ${NOW} + i * 1000, ${START} + i from n`,
    `insert into subscriptions (id, project_id, plan_id, version, status, wallet, external_id, email, address, incarnation,
        paused_at, blocked_since, blocked_reason, paid_period_start, paid_period_end, next_try_at, next_check_at, terms_signed, customer_typed,
        checkout_expires_at, last_announced_access, access_ends_at, has_held_events, last_sequence, last_event_at, paid_count, paid_amount,
        previous_id, created_at, confirmed_at, lost_at, wake_at, cancellation, cancellation_expires_at)
      ${each}
      select ${id('sub')}, ${projectId}, ${planId}, 1, ${status}, 'Subscriber' || ${shuffled},
        case when i % 3 = 0 then 'customer ' || ${shuffled} end, case when i % 3 = 1 then ${shuffled} || '@example.com' end,
        'Account' || ${shuffled},
        '{"generation":"1","planCreatedAt":${START},"anchor":${START}}',
        case when i % 1000 between 6 and 7 then ${NOW} - i end, case when i % 200 = 3 then ${NOW} - i end,
        case when i % 200 = 3 then 'insufficient_balance' end, ${START} + (i % 720) * 3600000,
        ${START} + (i % 720) * 3600000 + ${30 * DAY}, case when i % 100 < 93 then ${NOW} + (i % 720) * 3600000 - 25200000 end,
        case when i % 100 < 93 then ${NOW} + (i % 24) * 3600000 end, 1, 0,
        case when i % 100 = 98 then ${NOW} + i end, case when i % 100 < 95 then 1 else 0 end,
        case when i % 100 = 90 then ${NOW} + i - 1000 end, 0, 1, ${START} + i * 1000, 1, '10000000',
        case when i % 50 = 1 and i > 50 then ${id('sub', `(1000000000 + ((i - 50) * 48271) % ${PRIME})`)} end,
        ${START} + i * 1000, case when i % 100 < 98 then ${START} + i * 1000 + 500 end,
        case when i % 100 between 93 and 97 then ${START} + i * 1000 + 900 end,
        case when i % 20000 = 12 then ${START} + i when i % 100 < 93 then ${NOW} + (i % 720) * 3600000 - 25200000
          when i % 100 = 98 then ${NOW} + i end,
        case when i % 100 between 90 and 92
          then '{"confirmedAt":${START},"expiresAt":${NOW + 5 * DAY},"behind":0,"lapse":null}' end,
        case when i % 100 between 90 and 92 then ${NOW + 5 * DAY} end
      from n`,
    `insert into transfers (id, subscription_id, kind, trigger, signature, wire, amount, period_start, last_valid_block_height,
        state, not_found_count, long_wait_recorded, payment_index, created_at, resolved_at)
      ${each}
      select ${id('trf')}, ${id('sub')}, 'charge', 'schedule', 'Signature' || ${shuffled}, 'AQID', '10000000', ${START},
        '300', case when i % 1000 = 5 then 'open' else 'landed' end, 0, 0, 0, ${START} + i * 1000,
        case when i % 1000 = 5 then null else ${START} + i * 1000 + 2000 end from n`,
    `insert into attempts (id, subscription_id, attempted_at, outcome, amount, amount_received, amount_usd, signature, retry,
        period_start, project_id, plan_id)
      ${each}
      select ${id('att')}, ${id('sub')}, ${START} + i * 1000, 'paid', '10000000', '10000000',
        case when i % 1000 = 5 then null else '10.00' end, 'Signature' || ${shuffled}, 0, ${START}, ${projectId}, ${planId}
      from n`,
    `insert into refunds (signature, project_id, attempt_id, amount, landed_at, recorded_at)
      ${each}
      select 'Refund' || ${shuffled}, ${projectId}, ${id('att')}, '10000000', ${START}, ${START} + i * 1000 from n`,
    `insert into movements (id, project_id, plan_id, subscription_id, at, kind, recurring, begun_at)
      ${each}
      select ${id('mov')}, ${projectId}, ${planId}, ${id('sub')}, ${START} + i * 1000, 'new', 1, ${START} + i * 1000 from n`,
    // Plans have figures of many days, however few subscriptions, and some of three days are not merged yet.
    `insert into figures (id, project_id, plan_id, day, merged, running, recurring, sums, cohorts)
      ${upTo(10_000)}
      select 'fig_' || i, ${projectId}, ${planId}, ${START} + i * ${DAY}, 1, 1, 1, '{"paid":"1"}', '{}' from n`,
    `insert into figures (id, project_id, plan_id, day, merged, running, recurring, sums, cohorts)
      ${upTo(1_000)}
      select 'fig_added_' || i, ${projectId}, ${planId}, ${START} + (i % 3) * ${DAY}, 0, 1, 1, '{"paid":"1"}', '{}' from n`,
    // Each project has ten links. Each subscription has a session, and every other session is of a link.
    `insert into links (id, project_id, plan_id, ask_email, created_at) ${upTo(10 * projects)}
      select ${id('lnk', '(999999999 + i)')}, ${id('proj', '(1000000000 + (i - 1) / 10)')}, ${id('plan', '(999999999 + i)')}, 0,
        ${START} + i from n`,
    `insert into sessions (id, kind, project_id, secret_hash, plan_ids, ask_email, link_id, created_at, expires_at)
      ${each}
      select ${id('chk')}, 'checkout', ${projectId}, 'secret ' || i, '["' || ${planId} || '"]', 0,
        case when i % 4 < 2 then ${id('lnk', tenOfProject)} end, ${START} + i * 1000, ${START} + i * 1000 + ${DAY} from n`,
    `insert into session_subscriptions (session_id, subscription_id, reserved_at, submitted_at)
      ${each}
      select ${id('chk')}, ${id('sub')}, ${START} + i * 1000,
        case when i % 3 = 0 then ${START} + i * 1000 + 400 end from n`,
    // Of a thousand mails, two are pending and two failed.
    `insert into mails (id, project_id, subscription_id, kind, email, facts, created_at, state, attempts, next_attempt_at,
        settled_at)
      ${each}
      select ${id('eml')}, ${projectId}, ${id('sub')}, 'receipt', 'reader@example.com',
        '{"amount":"10000000","missing":null,"periodStart":null,"periodEnd":null,"dueAt":null,"accessUntil":null}', ${START} + i * 1000,
        case when i % 500 = 1 then 'pending' when i % 500 = 6 then 'failed' else 'sent' end, 1,
        case when i % 500 = 1 then ${NOW} + (i % 9) * 60000 - 240000 end,
        case when i % 500 = 1 then null else ${START} + i * 1000 + 700 end from n`,
    `insert into mail_settings (project_id, off) select id, '[]' from projects`,
    `insert into refused_addresses (project_id, address, reason, refused_at)
      ${each}
      select ${projectId}, ${shuffled} || '@example.com', 'No.', ${START} + i * 1000 from n`,
    `insert into signed_terms (subscription_id, message, signature, signed_at) ${upTo(Math.ceil(count / 10))}
      select ${id('sub')}, 'I agree.', 'Signature' || ${shuffled}, ${START} from n`,
    `insert into events (id, project_id, subscription_id, type, created_at, sequence, data, detail, body, position, latest_at, held_state)
      ${each}
      select ${id('evt')}, ${projectId}, ${id('sub')},
        case i % 4 when 0 then 'subscription.created' when 1 then 'subscription.ended' else 'subscription.renewed' end,
        ${START} + i * 1000, 1, '{"id":"' || ${id('sub')} || '"}', '{}', '{}', ${placeInProject}, ${START} + i * 1000, null from n`,
    `insert into project_counters (project_id, last_position, latest_at, last_receipt)
      select project_id, max(position), max(latest_at), 0 from events group by project_id`,
    `insert into endpoints (id, project_id, version, url, types, enabled, secrets, created_at) ${upTo(10 * projects)}
      select ${id('whe', '(999999999 + i)')}, ${id('proj', '(1000000000 + (i - 1) / 10)')}, 1, 'https://example.com/' || i,
        '["subscription.created"]', 1, '[]', ${START} from n`,
    `insert into endpoint_leases (endpoint_id, until) ${upTo(10 * projects)}
      select ${id('whe', '(999999999 + i)')}, ${NOW} - 1000 from n`,
    `insert into deliveries (id, project_id, event_id, endpoint_id, type, state, attempts, attempts_before, next_attempt_at,
        last_status, last_excerpt, created_at, settled_at)
      ${each}
      select ${id('dlv')}, ${projectId}, ${id('evt')}, ${endpointId}, 'subscription.renewed',
        case when i % 500 = 1 or i % 1010 = 4 then 'pending' when i % 500 in (2, 6) then 'failed' else 'delivered' end, 1, 0,
        case when i % 500 = 1 or i % 1010 = 4 then ${NOW} + (i % 9) * 60000 - 240000 end, 200, 'ok', ${START} + i * 1000,
        case when i % 500 = 1 or i % 1010 = 4 then null else ${START} + i * 1000 + 700 end from n`,
    `insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status, excerpt, next_attempt_at)
      ${each}
      select ${id('dlv')}, 1, ${START} + i * 1000, 120, 200, 'ok', null from n`,
    `insert into management_keys (id, name, access, hash, created_at) ${upTo(projects)}
      select ${id('mkey', '(999999999 + i)')}, 'Laptop', 'read', 'hash ' || i, ${START} from n`,
    `insert into audit_entries (id, created_at, actor, operation, project_id, subject, input) ${upTo(Math.ceil(count / 10))}
      select ${id('aud')}, ${START} + i, 'process', 'projects.create', ${projectId}, ${id('sub')}, '{}' from n`,
  ];
}

/**
 * Fills a migrated, empty database. The statements make the rows. Indexes are created last, because that is
 * far faster.
 * @param projects the first has half of all subscriptions; so many by default that a scan of them, or of
 * their
 * plans, endpoints or keys, costs more than an index
 */
export async function fillLarge(db: Kysely<Database>, count: number, projects = 2_000): Promise<void> {
  if (count > 1_000_000) throw new RangeError('At most 1,000,000 subscriptions have different ids.');
  const indexes = schemaIndexes();
  for (const { name } of indexes) await sql.raw(`drop index ${name}`).execute(db);
  for (const statement of statements(count, projects)) await sql.raw(statement).execute(db);
  for (const { create } of indexes) await sql.raw(create).execute(db);
}
