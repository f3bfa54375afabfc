import { figures } from './0001-figures.js';
import { mails } from './0001-mails.js';
import { receipts } from './0001-receipts.js';
import { keyChanges } from './0001-key-changes.js';
import { sessions } from './0001-sessions.js';
import { subscriptionDates } from './0001-subscription-dates.js';
import type { MigrationStep } from './for-engine.js';

/**
 * The first schema, in SQL of every engine with partial and expression indexes. Instants are milliseconds,
 * booleans 0 and 1, amounts decimal digits, nested values JSON text (see `codec/`). The unique indexes are
 * the last protection against a double charge, whatever fault the code above them has.
 */
export const initial: readonly MigrationStep[] = [
  // Which chain the records belong to, in one row.
  `create table chain_identity (
    id integer primary key,
    genesis_hash text not null,
    network text not null,
    charger text not null
  )`,

  `create table projects (
    id text primary key,
    name text not null,
    tier text not null,
    logo_url text,
    cancel_url text,
    subscriber_limit integer,
    published_plans_limit integer,
    created_at bigint not null
  )`,

  `create table api_keys (
    id text primary key,
    project_id text not null references projects (id),
    name text,
    hash text not null,
    created_at bigint not null,
    last_used_at bigint,
    expires_at bigint,
    revoked_at bigint
  )`,
  `create unique index api_keys_hash on api_keys (hash)`,
  `create index api_keys_project on api_keys (project_id, created_at, id)`,

  `create table plans (
    id text primary key,
    project_id text not null references projects (id),
    version integer not null,
    status text not null,
    slug text not null,
    name text not null,
    description text,
    website text,
    logo_url text,
    owner text not null,
    number text not null,
    address text not null,
    created_on_chain_at bigint,
    mint text not null,
    token_program text not null,
    token_names text,
    decimals integer not null,
    amount text not null,
    period_hours integer not null,
    destinations text not null,
    pullers text,
    ends_at bigint,
    retry_policy text,
    operator_plan integer not null,
    one_per_customer integer not null,
    created_at bigint not null,
    gone_since bigint,
    next_check_at bigint
  )`,
  // A plan that never landed frees its name and slug; a closed plan keeps them, because subscriptions name it
  // (plans#fields-of-a-plan).
  `create unique index plans_name on plans (project_id, name) where status <> 'failed'`,
  `create unique index plans_slug on plans (project_id, slug) where status <> 'failed'`,
  `create index plans_next_check on plans (next_check_at) where next_check_at is not null`,
  `create index plans_ends on plans (project_id, ends_at, id) where ends_at is not null`,
  `create index plans_project on plans (project_id, created_at, id)`,

  `create table subscriptions (
    id text primary key,
    project_id text not null references projects (id),
    plan_id text not null references plans (id),
    version integer not null,
    status text not null,
    wallet text not null,
    external_id text,
    email text,
    reserved_for text,
    customer_typed integer not null,
    reserved_by_link text,
    address text not null,
    incarnation text,
    end_reason text,
    late_reason text,
    stop_reason text,
    paused_at bigint,
    blocked_since bigint,
    blocked_reason text,
    blocked_access_until bigint,
    paid_period_start bigint,
    paid_period_end bigint,
    missed_until bigint,
    late text,
    cancellation text,
    cancellation_expires_at bigint,
    next_try_at bigint,
    next_check_at bigint,
    gone_since bigint,
    terms_signed integer not null,
    checkout_expires_at bigint,
    terms text,
    built text,
    last_announced_access integer not null,
    access_ends_at bigint,
    renewal_notice_not_before bigint,
    reminder_not_before bigint,
    has_held_events integer not null,
    last_sequence integer not null,
    last_event_at bigint,
    paid_count integer not null,
    paid_amount text not null,
    previous_id text references subscriptions (id),
    replaced_by_id text references subscriptions (id),
    created_at bigint not null,
    confirmed_at bigint,
    closed_at bigint,
    lost_at bigint,
    wake_at bigint
  )`,
  // A wallet has one running subscription to a plan (invariants#one-running-subscription-per-plan).
  `create unique index subscriptions_running on subscriptions (plan_id, wallet)
    where status in ('active', 'unpaid')`,
  // A customer has one pending checkout for a plan and for each subscription that it replaces, and so has a
  // session that reserves it (checkout#repeated-create-is-idempotent). The prefixes keep an external id apart
  // from an equal email.
  `create unique index subscriptions_pending on subscriptions
    (plan_id, wallet, coalesce('session ' || reserved_for, 'id ' || external_id, 'email ' || email, 'nobody'),
      coalesce(previous_id, ''))
    where status = 'pending'`,
  `create index subscriptions_wallet on subscriptions (project_id, wallet, created_at, id)`,
  `create index subscriptions_external_id on subscriptions (project_id, external_id, created_at, id)
    where external_id is not null`,
  `create index subscriptions_email on subscriptions (project_id, email, created_at, id)
    where email is not null`,
  `create index subscriptions_open_checkouts on subscriptions (project_id, checkout_expires_at)
    where status = 'pending'`,
  `create index subscriptions_seats on subscriptions (project_id, wallet)
    where status in ('active', 'unpaid', 'cancelled') and paused_at is null`,
  // Without expired checkouts, which anyone can create for any wallet.
  `create index subscriptions_plan_wallet on subscriptions (plan_id, wallet, created_at, id)
    where status <> 'expired'`,
  // A database checks each foreign key that names a deleted row.
  `create index subscriptions_previous on subscriptions (previous_id) where previous_id is not null`,
  `create index subscriptions_replaced_by on subscriptions (replaced_by_id) where replaced_by_id is not null`,
  `create index subscriptions_newest on subscriptions (project_id, created_at, id)`,
  `create index subscriptions_address on subscriptions (project_id, address, created_at, id)`,
  `create index subscriptions_status on subscriptions (project_id, status, created_at, id)`,
  `create index subscriptions_newest_of_plan on subscriptions (plan_id, created_at, id)`,
  `create index subscriptions_status_of_plan on subscriptions (plan_id, status, created_at, id)`,
  `create index subscriptions_newest_blocked on subscriptions (project_id, created_at, id)
    where blocked_since is not null`,
  `create index subscriptions_ending_with_plan on subscriptions (plan_id, id) where status in ('active', 'unpaid')`,
  `create index subscriptions_running_by_plan on subscriptions (project_id, plan_id, status, paused_at, blocked_since)
    where status in ('active', 'unpaid', 'cancelled')`,
  // Checkouts are left out, as in the index by plan and wallet.
  `create index subscriptions_paid_by_wallet on subscriptions (wallet, created_at, id)
    where confirmed_at is not null`,
  // By the date they began, because each event moves the date of the last one.
  `create index subscriptions_expired_checkouts on subscriptions (created_at, id) where status = 'expired'`,
  // In the order in which they return.
  `create index subscriptions_parked_longest on subscriptions
    (project_id, paused_at, coalesce(confirmed_at, created_at), wallet, id) where paused_at is not null`,
  `create index subscriptions_parked_of_wallet on subscriptions (project_id, wallet) where paused_at is not null`,
  ...subscriptionDates,

  // Charges share a transaction, in which each has its place, and on each falls a part of the network fee.
  `create table transfers (
    id text primary key,
    subscription_id text not null references subscriptions (id),
    kind text not null,
    trigger text,
    signature text not null,
    payment_index integer not null,
    wire text not null,
    amount text not null,
    lamports text,
    period_start bigint,
    last_valid_block_height text not null,
    state text not null,
    reason_code text,
    not_found_count integer not null,
    long_wait_recorded integer not null,
    created_at bigint not null,
    resolved_at bigint
  )`,
  `create unique index transfers_signature on transfers (signature, payment_index)`,
  `create unique index transfers_open on transfers (subscription_id) where state = 'open'`,
  // A period is paid once (invariants#one-payment-per-period). A subscribing transfer may have no period yet,
  // and a subscription has at most one.
  `create unique index transfers_landed on transfers (subscription_id, coalesce(period_start, 0))
    where state = 'landed'`,
  `create index transfers_subscription on transfers (subscription_id, created_at, id)`,

  `create table attempts (
    id text primary key,
    subscription_id text not null references subscriptions (id),
    project_id text not null,
    plan_id text not null,
    attempted_at bigint not null,
    outcome text not null,
    reason text,
    amount text not null,
    amount_received text,
    amount_usd text,
    signature text,
    fee text,
    retry integer not null,
    retry_number integer,
    retries_allowed integer,
    period_start bigint,
    receipt_number bigint,
    receipt_prefix text
  )`,
  // A period has one paid attempt (invariants#one-payment-per-period).
  `create unique index attempts_paid on attempts (subscription_id, period_start) where outcome = 'paid'`,
  `create unique index attempts_receipt on attempts (project_id, receipt_number)
    where receipt_number is not null`,
  `create index attempts_subscription on attempts (subscription_id, attempted_at, id)`,
  `create index attempts_unpriced on attempts (attempted_at, id) where amount_usd is null`,
  `create index attempts_of_project on attempts (project_id, attempted_at, id)`,
  `create index attempts_of_plan on attempts (plan_id, attempted_at, id)`,
  `create index attempts_failed on attempts (project_id, attempted_at, id) where outcome <> 'paid'`,

  ...figures,

  ...receipts,

  ...sessions,

  ...mails,

  // The envelope is that into which the wallet put the terms.
  `create table signed_terms (
    subscription_id text not null references subscriptions (id),
    message text not null,
    signature text not null,
    envelope text,
    signed_at bigint not null,
    primary key (subscription_id, signature)
  )`,

  // The position is the order of writing in a project; a held event gets it at its release, so an event may
  // be older than those before it. No event up to a position is later than its `latest_at`, which ends a list
  // by date.
  `create table events (
    id text primary key,
    project_id text not null references projects (id),
    subscription_id text not null references subscriptions (id),
    type text not null,
    created_at bigint not null,
    sequence integer not null,
    position bigint,
    latest_at bigint,
    held_state text,
    data text not null,
    detail text not null,
    body text
  )`,
  // A subscription has one event for each sequence number (invariants#sequence-is-complete).
  `create unique index events_sequence on events (subscription_id, sequence)`,
  `create unique index events_position on events (project_id, position)`,
  `create index events_type on events (project_id, type, position)`,
  `create index events_subscription on events (subscription_id, position)`,
  `create index events_created on events (created_at, id)`,
  `create index events_held on events (subscription_id, sequence) where held_state is not null`,
  // The counters of a project are a row of its own, because a commit locks it.
  `create table project_counters (
    project_id text primary key references projects (id),
    last_position bigint not null,
    latest_at bigint not null,
    last_receipt bigint not null
  )`,

  `create table endpoints (
    id text primary key,
    project_id text not null references projects (id),
    version integer not null,
    url text not null,
    types text not null,
    enabled integer not null,
    disabled_reason text,
    secrets text not null,
    failing_since bigint,
    created_at bigint not null,
    deleted_at bigint
  )`,
  `create unique index endpoints_url on endpoints (project_id, url) where deleted_at is null`,
  `create index endpoints_project on endpoints (project_id)`,
  // One sender at a time serves an endpoint.
  `create table endpoint_leases (
    endpoint_id text primary key references endpoints (id),
    until bigint not null
  )`,

  // A test delivery belongs to no event.
  `create table deliveries (
    id text primary key,
    project_id text not null references projects (id),
    event_id text references events (id),
    endpoint_id text not null references endpoints (id),
    type text not null,
    state text not null,
    attempts integer not null,
    attempts_before integer not null,
    next_attempt_at bigint,
    last_status integer,
    last_excerpt text,
    created_at bigint not null,
    settled_at bigint
  )`,
  // An event has one delivery for each endpoint (deliveries#one-delivery-per-endpoint).
  `create unique index deliveries_event_endpoint on deliveries (event_id, endpoint_id)`,
  `create index deliveries_due on deliveries (next_attempt_at, id) where state = 'pending'`,
  // The endpoints with pending deliveries, and the deliveries of one that are due soonest.
  `create index deliveries_due_by_endpoint on deliveries (endpoint_id, next_attempt_at, id)
    where state = 'pending'`,
  `create index deliveries_of_project on deliveries (project_id, created_at, id)`,
  `create index deliveries_of_endpoint on deliveries (endpoint_id, created_at, id)`,
  // Find the few that are pending or failed without reading the many that were delivered.
  `create index deliveries_not_delivered on deliveries (project_id, state, created_at, id)
    where state <> 'delivered'`,
  `create index deliveries_not_delivered_to_endpoint on deliveries (endpoint_id, state, created_at, id)
    where state <> 'delivered'`,
  `create index deliveries_tests on deliveries (endpoint_id, created_at, id) where event_id is null`,
  // Finds the few tests of all endpoints that are being sent or were never finished.
  `create index deliveries_unfinished_tests on deliveries (created_at) where event_id is null and state = 'pending'`,
  `create index deliveries_settled on deliveries (settled_at, id) where state <> 'pending'`,

  `create table delivery_attempts (
    delivery_id text not null references deliveries (id) on delete cascade,
    number integer not null,
    started_at bigint not null,
    duration_ms bigint not null,
    status integer,
    excerpt text not null,
    next_attempt_at bigint,
    primary key (delivery_id, number)
  )`,

  `create table management_keys (
    id text primary key,
    name text not null,
    access text not null,
    hash text not null,
    created_at bigint not null,
    last_used_at bigint,
    revoked_at bigint
  )`,
  `create unique index management_keys_hash on management_keys (hash)`,

  // The audit log. An entry outlives its project, so it has no foreign key.
  `create table audit_entries (
    id text primary key,
    created_at bigint not null,
    actor text not null,
    operation text not null,
    project_id text,
    subject text,
    input text not null,
    outcome text
  )`,
  `create index audit_entries_created on audit_entries (created_at, id)`,
  `create index audit_entries_project on audit_entries (project_id, created_at, id)`,
  `create index audit_entries_subject on audit_entries (subject, created_at, id) where subject is not null`,
  ...keyChanges,
];
