import { z } from 'zod';

import type { Access, AccessAnswer, AccessList } from './contract/access.js';
import type { AttemptPage } from './contract/attempt.js';
import type { BuildAnswer, CreateAnswer } from './contract/build.js';
import type { Confirmation } from './contract/confirmation.js';
import type {
  EndpointInput,
  EndpointUpdate,
  EndpointWire,
  EndpointWithSecret,
  SecretRotation,
} from './contract/endpoint.js';
import type { EventPage, EventsQueryInput, EventWire } from './contract/event.js';
import { ServiceName, type NewApiKey, type PlanInput, type ProjectInput } from './contract/management.js';
import type { SubscriptionPage } from './contract/page.js';
import type { PlanList, PlanWire } from './contract/plan.js';
import type { ProjectWire } from './contract/project.js';
import type {
  AccessQueryInput,
  AttemptsQueryInput,
  ConfirmBody,
  CreateBody,
  SubmitBody,
  SubscriptionsQueryInput,
} from './contract/requests.js';
import type { SubscriptionWire } from './contract/subscription.js';
import { TIERS } from './contract/tiers.js';
import { read } from './contract/validation-messages.js';
import { createHandler, type FetchHandler, type HandlerOptions } from './http/handler.js';
import {
  projectFunctions,
  serviceFunctions,
  type ProjectFunctionsOf,
  type ServiceFunctionsOf,
} from './operations/functions.js';
import { safeTokens } from './operations/safe-tokens.js';
import { OPERATIONS } from './operations/table.js';
import { requirePorts, type RequiredPorts } from './required-ports.js';
import type { Service } from './service.js';
import { createWorker, type BillingWorker } from './worker/worker.js';

/**
 * The ports and settings of `createBilling`. Those with a `?` are optional: without `tokens`, tokens have no names; without
 * `prices`, plans have no price in dollars; without `logger`, nothing is logged; a setting that is absent has its default.
 */
export type BillingPorts = RequiredPorts &
  Partial<Pick<Service, 'tokens' | 'prices' | 'logger'>> & {
    readonly settings?: Partial<Service['settings']>;
    /** How `billing.handler` is mounted. */
    readonly handler?: HandlerOptions;
  };

/** Projects: each has its own keys, plans, subscribers and webhook endpoints. */
export interface ProjectFunctions {
  /**
   * Creates a project, of the `business` tier unless the input says otherwise.
   *
   * Refuses with `invalid_request`.
   */
  create(input: ProjectInput): Promise<ProjectWire>;
  /** Lists every project. */
  list(): Promise<readonly ProjectWire[]>;
}

/** The API keys of a project: whoever holds one may call the HTTP routes for the project. */
export interface ProjectKeyFunctions {
  /**
   * Creates an API key. The result is the only time that the key is shown: only its hash is stored.
   *
   * Refuses with `not_found`.
   */
  create(): Promise<NewApiKey>;
}

/** API keys by their own id. */
export interface KeyFunctions {
  /** Revokes an API key at once. A key that is unknown or revoked already is left as it is. */
  revoke(keyId: string): Promise<void>;
}

/** Plans: what a subscriber pays, how often, and to whom. */
export interface PlanFunctions {
  /**
   * Creates a plan as a draft; `publish` it next. `amount` is text, in the token's smallest unit; `period_hours` is 1 to
   * 8760; `retry_wait_minutes` is at least 15.
   *
   * Refuses with `not_found`, `invalid_request`, `forbidden`, `end_date_too_soon`, `end_date_too_far`, `mint_not_on_chain`,
   * `plan_name_taken`, `slug_taken` or `network_unavailable`.
   */
  create(input: PlanInput): Promise<PlanWire>;
  /**
   * Builds the transaction that creates a draft on chain, in base64, for its owner's wallet to sign and send.
   *
   * Refuses with `not_found`, `plan_not_found`, `conflict`, `forbidden` or `network_unavailable`.
   */
  publish(slug: string): Promise<BuildAnswer>;
  /**
   * Publishes a draft that exists on chain with the stored values. When it differs on chain, the draft becomes `failed`
   * and is refused. A plan that is published already is returned unchanged.
   *
   * Refuses with `not_found`, `plan_not_found`, `plan_not_on_chain`, `plan_mismatch` or `network_unavailable`.
   */
  confirmPublish(slug: string): Promise<PlanWire>;
  /** Lists every published plan, active or sunset, sorted by slug. Refuses with `not_found`. */
  list(): Promise<PlanList>;
  /** Reads one published plan. Refuses with `not_found` or `plan_not_found`. */
  retrieve(slug: string): Promise<PlanWire>;
}

/** Access: what a customer may use now. */
export interface AccessFunctions {
  /**
   * Checks whether a customer has access: to one plan when the query names it, else to every plan that the customer has a
   * subscription to. The answer is computed for this instant; `revalidate_after` is how many seconds it may be cached.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   */
  check(query: AccessQueryInput & { readonly plan: string }): Promise<AccessAnswer>;
  check(query: AccessQueryInput & { readonly plan?: undefined }): Promise<AccessList>;
  check(query: AccessQueryInput): Promise<Access>;
}

/** Subscriptions: from checkout to close. */
export interface SubscriptionFunctions {
  /**
   * Reserves a subscription for 30 minutes and returns the terms and the transaction (base64) for the wallet to sign. Costs
   * are in lamports, as text.
   *
   * Refuses with `not_found`, `invalid_request`, `plan_not_found`, `plan_not_on_chain`, `mint_not_on_chain`,
   * `plan_removed`, `plan_replaced`, `plan_mismatch`, `plan_ended`, `plan_sunset`, `receiver_account_missing`,
   * `insufficient_balance`, `seat_cap_reached`, `comeback_landed`, `comeback_in_flight`, `comeback_period_rolling`,
   * `already_subscribed`, `payment_pending`, `subscription_cancelled`, `subscription_stopped`,
   * `subscription_terms_changed`, `pending_cap_reached`, `subscription_changed` or `network_unavailable`.
   */
  create(input: CreateBody): Promise<CreateAnswer>;
  /**
   * Builds a fresh transaction for a pending subscription. Only the transaction and terms of the last call can be submitted.
   *
   * Refuses with `not_found`, `subscription_not_found`, `not_awaiting_signature`, `mint_not_on_chain`, `plan_removed`,
   * `plan_replaced`, `plan_mismatch`, `plan_ended`, `plan_sunset`, `receiver_account_missing`, `insufficient_balance`,
   * `seat_cap_reached`, `comeback_landed`, `comeback_in_flight`, `comeback_period_rolling`, `subscription_changed` or
   * `network_unavailable`.
   */
  transaction(id: string): Promise<CreateAnswer>;
  /**
   * Co-signs and sends the transaction that the wallet signed (base64), and stores the wallet's signature of the terms
   * (base58). It waits up to 90 seconds for the chain, and may be repeated unchanged. When nothing is settled,
   * `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `not_awaiting_signature`,
   * `transaction_not_built`, `not_our_transaction`, `wallet_mismatch`, `terms_missing`, `invalid_terms_signature`,
   * `terms_used`, `terms_expired`, `terms_changed`, `transaction_expired`, `already_subscribed`, `seat_cap_reached`,
   * `subscription_stopped`, `subscription_terms_changed`, `comeback_landed`, `comeback_in_flight`,
   * `comeback_period_rolling`, `transaction_refused`, `subscription_changed` or `network_unavailable`.
   */
  submit(id: string, input: SubmitBody): Promise<Confirmation>;
  /**
   * Lists one customer's subscriptions, newest first, `limit` (1 to 100, 20 when absent) at a time.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   */
  list(query: SubscriptionsQueryInput): Promise<SubscriptionPage>;
  /** Reads one subscription. Refuses with `not_found` or `subscription_not_found`. */
  retrieve(id: string): Promise<SubscriptionWire>;
  /**
   * Lists the charges of a subscription, newest first, `limit` (1 to 100, 20 when absent) at a time. Amounts are text, in
   * the token's smallest unit.
   *
   * Refuses with `not_found`, `invalid_request` or `subscription_not_found`.
   */
  attempts(id: string, query?: AttemptsQueryInput): Promise<AttemptPage>;
  /**
   * Queues the charge of the missed period, which the worker makes next. An event reports the outcome.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_late`, `subscription_paused`, `plan_ended`,
   * `retry_deadline_passed`, `retries_spent`, `pull_running`, `retry_too_soon`, `insufficient_balance`,
   * `retry_cannot_succeed`, `subscription_changed` or `network_unavailable`.
   */
  retry(id: string): Promise<SubscriptionWire>;
  /**
   * Builds the cancellation (base64) for the wallet to sign and send. Nothing changes until `confirmCancel`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_active`, `subscription_cancelled`,
   * `subscription_not_on_chain`, `subscription_changed` or `network_unavailable`.
   */
  cancel(id: string): Promise<BuildAnswer>;
  /**
   * Confirms the cancellation that was sent. Its `signature` is base58.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_active`,
   * `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   */
  confirmCancel(id: string, input: ConfirmBody): Promise<Confirmation>;
  /**
   * Builds the undo of a cancellation (base64) for the wallet to sign and send, until the paid period ends. Nothing changes
   * until `confirmResume`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_cancelled`, `subscription_ended`,
   * `plan_removed`, `plan_replaced`, `subscription_not_on_chain`, `subscription_changed` or `network_unavailable`.
   */
  resume(id: string): Promise<BuildAnswer>;
  /**
   * Confirms the resume that was sent. Its `signature` is base58.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_cancelled`,
   * `subscription_ended`, `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   */
  confirmResume(id: string, input: ConfirmBody): Promise<Confirmation>;
  /**
   * Builds the closing of a cancelled subscription whose end has passed (base64), for the wallet to sign and send; the
   * wallet gets its deposit back. Nothing changes until `confirmClose`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_cancelled`, `close_too_early`,
   * `subscription_not_on_chain`, `subscription_changed` or `network_unavailable`.
   */
  close(id: string): Promise<BuildAnswer>;
  /**
   * Confirms the close that was sent. Its `signature` is base58.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_cancelled`,
   * `subscription_not_on_chain`, `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   */
  confirmClose(id: string, input: ConfirmBody): Promise<Confirmation>;
}

/** Events: what happened to the subscriptions of a project, kept for 30 days. */
export interface EventFunctions {
  /**
   * Lists events newest first, as webhooks deliver them, `limit` (1 to 100, 25 when absent) at a time.
   *
   * Refuses with `not_found` or `invalid_request`.
   */
  list(query?: EventsQueryInput): Promise<EventPage>;
  /** Reads one event. Refuses with `not_found` or `event_not_found`. */
  retrieve(id: string): Promise<EventWire>;
}

/** Webhook endpoints: where the events of a project are sent. An unknown endpoint is refused with `not_found`. */
export interface EndpointFunctions {
  /**
   * Creates an endpoint, enabled. The result is the only time that its signing secret is shown.
   *
   * Refuses with `not_found`, `invalid_request`, or `conflict` when the project has 16 endpoints or one at this address.
   */
  create(input: EndpointInput): Promise<EndpointWithSecret>;
  /** Lists a project's endpoints, newest first. Refuses with `not_found`. */
  list(): Promise<readonly EndpointWire[]>;
  /** Reads one endpoint. Refuses with `not_found`. */
  retrieve(id: string): Promise<EndpointWire>;
  /** Changes which events an endpoint receives, from the next event on. Refuses with `not_found` or `invalid_request`. */
  update(id: string, input: EndpointUpdate): Promise<EndpointWire>;
  /** Enables an endpoint again. Events from while it was disabled are not sent. Refuses with `not_found`. */
  enable(id: string): Promise<EndpointWire>;
  /** Disables an endpoint. Its pending deliveries fail. Refuses with `not_found`. */
  disable(id: string): Promise<EndpointWire>;
  /**
   * Replaces the signing secret and shows the new one. Deliveries are signed with both for `overlap_hours` (0 to 24, 0 when
   * absent), so that receivers can change their secret without refusing a delivery.
   *
   * Refuses with `not_found` or `invalid_request`.
   */
  rotateSecret(id: string, input?: SecretRotation): Promise<EndpointWithSecret>;
}

/** One project as functions. A project that does not exist is refused with `not_found` by each of them. */
export interface ProjectBilling {
  /** Reads the project. Refuses with `not_found`. */
  retrieve(): Promise<ProjectWire>;
  readonly keys: ProjectKeyFunctions;
  readonly plans: PlanFunctions;
  readonly access: AccessFunctions;
  readonly subscriptions: SubscriptionFunctions;
  readonly events: EventFunctions;
  readonly endpoints: EndpointFunctions;
}

/**
 * The whole service as functions. Every function validates its input, and throws a `ServiceError` with a code of the
 * contract when it refuses.
 */
export interface Billing {
  /** The ports and settings that everything runs on. */
  readonly service: Service;
  readonly projects: ProjectFunctions;
  readonly keys: KeyFunctions;
  /** The functions of one project. Nothing is read until one of them is called. */
  project(projectId: string): ProjectBilling;
  /** The work that time makes due. Nothing is charged and no webhook is sent unless it runs. */
  readonly worker: BillingWorker;
  /** Serves the contract over HTTP: a function from a fetch Request to a Response, for any framework that speaks fetch. */
  readonly handler: FetchHandler;
}

/**
 * Creates the service from its ports. Throws a TypeError that names the port when one is missing or lacks a method.
 *
 * @example
 * const billing = createBilling({ store, chain, clock, random, crypto, sender });
 * const shop = billing.project(projectId);
 * const { access } = await shop.access.check({ external_id: 'customer-42', plan: 'pro' });
 */
export function createBilling(ports: BillingPorts): Billing {
  requirePorts(ports);
  const service = serviceOf(ports);
  const worker = createWorker(service);
  return {
    service,
    ...serviceFunctions(service, OPERATIONS),
    project(projectId) {
      const { projects, ...groups } = projectFunctions(service, OPERATIONS, projectId);
      // The functions of a table know no overloads.
      return { ...projects, ...groups, access: groups.access as AccessFunctions };
    },
    worker,
    handler: createHandler({ service, worker }, ports.handler),
  };
}

const SILENT: Service['logger'] = { debug() {}, info() {}, warn() {}, error() {} };

function serviceOf({ settings, handler: _handler, tokens, ...ports }: BillingPorts): Service {
  const name = read(z.object({ serviceName: ServiceName.default('Subrail') }), settings ?? {});
  if ('sentences' in name) throw new TypeError(`The settings of createBilling: ${name.sentences.join(' ')}`);
  return {
    tokens: tokens === undefined ? { find: () => Promise.resolve(null) } : safeTokens(tokens),
    prices: { usd: () => Promise.resolve(null) },
    logger: SILENT,
    ...ports,
    settings: {
      publicUrl: 'http://localhost:3000',
      tiers: TIERS,
      privateTargets: false,
      ...settings,
      ...name.value,
    },
  };
}

type Same<One, Other> =
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- T makes the comparison exact
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
type Functions<Groups> = {
  [Group in keyof Groups]: { [Member in keyof Groups[Group]]: Groups[Group][Member] };
};

// These do not compile unless the interfaces have exactly the functions of the table of operations.
true satisfies Same<
  Functions<Pick<Billing, 'projects' | 'keys'>>,
  Functions<ServiceFunctionsOf<typeof OPERATIONS>>
>;
true satisfies Same<
  Functions<Omit<ProjectBilling, 'retrieve' | 'access'>>,
  Functions<Omit<ProjectFunctionsOf<typeof OPERATIONS>, 'projects' | 'access'>>
>;
true satisfies Same<Pick<ProjectBilling, 'retrieve'>, ProjectFunctionsOf<typeof OPERATIONS>['projects']>;
