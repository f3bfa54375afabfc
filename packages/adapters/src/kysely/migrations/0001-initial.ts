/**
 * The first schema, in SQL that every engine with partial and expression indexes understands. Instants are
 * milliseconds, booleans 0 and 1, amounts decimal digits, and nested values JSON text (see `codec/`). The unique
 * indexes are the last protection against a double charge: they hold even if the code above them has a fault.
 */
export const initial: readonly string[] = [
  `create table projects (
    id text primary key,
    name text not null,
    tier text not null,
    logo_url text,
    cancel_url text,
    subscriber_limit integer,
    created_at bigint not null
  )`,

  `create table api_keys (
    id text primary key,
    project_id text not null references projects (id),
    hash text not null,
    created_at bigint not null,
    last_used_at bigint,
    revoked_at bigint
  )`,
  `create unique index api_keys_hash on api_keys (hash)`,

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
    decimals integer not null,
    amount text not null,
    period_hours integer not null,
    destinations text not null,
    ends_at bigint,
    retry_policy text,
    operator_plan integer not null,
    created_at bigint not null
  )`,
  // A plan whose creation never landed frees its name and slug; a closed plan keeps them, because subscriptions name it
  // (plans#fields-of-a-plan).
  `create unique index plans_name on plans (project_id, name) where status <> 'failed'`,
  `create unique index plans_slug on plans (project_id, slug) where status <> 'failed'`,

  `create table subscriptions (
    id text primary key,
    project_id text not null references projects (id),
    plan_id text not null references plans (id),
    version integer not null,
    status text not null,
    wallet text not null,
    external_id text,
    email text,
    address text not null,
    incarnation text,
    end_reason text,
    late_reason text,
    stop_reason text,
    paused_at bigint,
    blocked_since bigint,
    blocked_reason text,
    paid_period_start bigint,
    paid_period_end bigint,
    missed_until bigint,
    late text,
    cancellation text,
    cancellation_expires_at bigint,
    next_try_at bigint,
    gone_since bigint,
    terms_signed integer not null,
    checkout_expires_at bigint,
    terms text,
    built text,
    access_announced integer not null,
    last_sequence integer not null,
    last_event_at bigint,
    paid_count integer not null,
    paid_amount text not null,
    previous_id text references subscriptions (id),
    created_at bigint not null,
    confirmed_at bigint,
    closed_at bigint,
    wake_at bigint
  )`,
  // A wallet has one running subscription to a plan (invariants#one-running-subscription-per-plan).
  `create unique index subscriptions_running on subscriptions (plan_id, wallet)
    where status in ('active', 'unpaid')`,
  // A customer has one pending checkout for a plan (checkout#repeated-create-is-idempotent). The prefixes keep an
  // external id that looks like an email apart from that email.
  `create unique index subscriptions_pending on subscriptions
    (plan_id, wallet, coalesce('id ' || external_id, 'email ' || email, 'nobody'))
    where status = 'pending'`,
  `create index subscriptions_wake on subscriptions (wake_at, id) where wake_at is not null`,
  `create index subscriptions_wallet on subscriptions (project_id, wallet, created_at, id)`,
  `create index subscriptions_external_id on subscriptions (project_id, external_id, created_at, id)
    where external_id is not null`,
  `create index subscriptions_email on subscriptions (project_id, email, created_at, id)
    where email is not null`,
  `create index subscriptions_plan_wallet on subscriptions (plan_id, wallet, created_at, id)`,
  `create index subscriptions_open_checkouts on subscriptions (project_id, checkout_expires_at)
    where status = 'pending'`,
  `create index subscriptions_seats on subscriptions (project_id, wallet)
    where status in ('active', 'unpaid', 'cancelled') and paused_at is null`,

  `create table transfers (
    id text primary key,
    subscription_id text not null references subscriptions (id),
    kind text not null,
    trigger text,
    signature text not null,
    wire text not null,
    amount text not null,
    period_start bigint,
    last_valid_block_height text not null,
    state text not null,
    reason_code text,
    absent_looks integer not null,
    wait_recorded integer not null,
    created_at bigint not null,
    resolved_at bigint
  )`,
  `create unique index transfers_signature on transfers (signature)`,
  `create unique index transfers_open on transfers (subscription_id) where state = 'open'`,
  // A period is paid once (invariants#one-payment-per-period). A subscribing transfer may have no period yet, and a
  // subscription has at most one such transfer.
  `create unique index transfers_landed on transfers (subscription_id, coalesce(period_start, 0))
    where state = 'landed'`,
  `create index transfers_subscription on transfers (subscription_id, created_at, id)`,

  `create table attempts (
    id text primary key,
    subscription_id text not null references subscriptions (id),
    attempted_at bigint not null,
    outcome text not null,
    reason text,
    amount text not null,
    amount_received text,
    amount_usd text,
    signature text,
    retry integer not null,
    retry_number integer,
    retries_allowed integer,
    period_start bigint
  )`,
  // A period has one paid attempt (invariants#one-payment-per-period).
  `create unique index attempts_paid on attempts (subscription_id, period_start) where outcome = 'paid'`,
  `create index attempts_subscription on attempts (subscription_id, attempted_at, id)`,

  `create table signed_terms (
    subscription_id text not null references subscriptions (id),
    message text not null,
    signature text not null,
    signed_at bigint not null,
    primary key (subscription_id, signature)
  )`,

  `create table events (
    id text primary key,
    project_id text not null references projects (id),
    subscription_id text not null references subscriptions (id),
    type text not null,
    created_at bigint not null,
    sequence integer not null,
    data text not null,
    detail text not null,
    body text
  )`,
  // A subscription has one event for each sequence number (invariants#sequence-is-complete).
  `create unique index events_sequence on events (subscription_id, sequence)`,
  `create index events_project on events (project_id, created_at, id)`,
  `create index events_type on events (project_id, type, created_at, id)`,
  `create index events_subscription on events (subscription_id, created_at, id)`,

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
    created_at bigint not null
  )`,
  `create unique index endpoints_url on endpoints (project_id, url)`,

  `create table deliveries (
    id text primary key,
    project_id text not null references projects (id),
    event_id text not null references events (id),
    endpoint_id text not null references endpoints (id),
    state text not null,
    attempts integer not null,
    next_attempt_at bigint,
    last_status integer,
    last_excerpt text,
    created_at bigint not null,
    settled_at bigint
  )`,
  // An event has one delivery for each endpoint (deliveries#one-delivery-per-endpoint).
  `create unique index deliveries_event_endpoint on deliveries (event_id, endpoint_id)`,
  `create index deliveries_due on deliveries (next_attempt_at) where state = 'pending'`,
  // Finds the deliveries of one endpoint that are due soonest, without reading the backlog of another.
  `create index deliveries_due_by_endpoint on deliveries (endpoint_id, next_attempt_at, id)
    where state = 'pending'`,
];
