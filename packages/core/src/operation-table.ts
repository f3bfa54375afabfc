import { accessOperations } from './operations/access/operations.js';
import { actionOperations } from './operations/actions/operations.js';
import { checkoutOperations } from './operations/checkout/operations.js';
import { deliveryOperations } from './management/deliveries/operations.js';
import { doctorOperations } from './management/doctor/operations.js';
import { endpointOperations } from './management/endpoints/operations.js';
import { eventOperations } from './operations/events/operations.js';
import { managementOperations } from './management/operators/operations.js';
import type { Declaration, Operation } from './operations/operation.js';
import { planOperations } from './management/plans/operations.js';
import { keyOperations, projectOperations, projectsOperations } from './management/projects/operations.js';
import { reportOperations } from './management/reports/operations.js';
import { secretOperations } from './management/secrets/operations.js';
import { subscriptionOperations } from './operations/subscriptions/operations.js';
import { walletOperations } from './operations/wallets/operations.js';

/**
 * The groups of operations that belong to one project. They are types of the literals that declare them, so that the published types
 * keep the docblock of every operation.
 */
export interface ProjectGroups {
  /** The project itself. Its functions are in no group: `billing.project(id).retrieve()`. */
  readonly projects: typeof projectOperations;
  /** Access: what a customer may use now. */
  readonly access: typeof accessOperations;
  /** The API keys of a project: whoever holds one may call the HTTP routes for the project. */
  readonly keys: typeof keyOperations;
  /** Plans: what a subscriber pays, how often, and to whom. */
  readonly plans: typeof planOperations;
  /** Subscriptions: from checkout to close. */
  readonly subscriptions: typeof checkoutOperations & typeof subscriptionOperations & typeof actionOperations;
  /** Events: what happened to the subscriptions of a project, kept for 30 days. */
  readonly events: typeof eventOperations;
  /** Webhook endpoints: where the events of a project are sent. An unknown endpoint is refused with `not_found`. */
  readonly endpoints: typeof endpointOperations;
  /** Deliveries: what was sent to the endpoints of a project, and how it went, for 30 days. */
  readonly deliveries: typeof deliveryOperations;
  /** The doctor of a project: what should be impossible, looked for in what is stored and on chain. */
  readonly doctor: typeof doctorOperations;
  /** Reports of a project: what comes next, and how it went. */
  readonly reports: typeof reportOperations;
}

/** The groups of operations that belong to no project. */
export interface ServiceGroups {
  /** Projects: each has its own keys, plans, subscribers and webhook endpoints. */
  readonly projects: typeof projectsOperations;
  /** The stored signing secrets of all projects, which the sealing key encrypts. */
  readonly secrets: typeof secretOperations;
  /** Who may manage over HTTP, and what was done. */
  readonly management: typeof managementOperations;
}

/** The operations of wallets. They have functions in the client, and none in process. */
export interface WalletGroups {
  /**
   * What a page on which wallets cancel calls. The routes need no key, because only the wallet's signature changes anything, and
   * cover the subscriptions of every project. A service has them when its handler was made with `walletRoutes`; else, each call
   * refuses with `not_found`.
   */
  readonly wallets: typeof walletOperations;
}

export const PROJECT_OPERATIONS = operationsOf<ProjectGroups>({
  access: accessOperations,
  projects: projectOperations,
  keys: keyOperations,
  plans: planOperations,
  subscriptions: { ...checkoutOperations, ...subscriptionOperations, ...actionOperations },
  events: eventOperations,
  endpoints: endpointOperations,
  deliveries: deliveryOperations,
  doctor: doctorOperations,
  reports: reportOperations,
});
export const SERVICE_OPERATIONS = operationsOf<ServiceGroups>({
  projects: projectsOperations,
  secrets: secretOperations,
  management: managementOperations,
});

/**
 * Every operation of the service. The functions of `Billing`, those of the clients, the routes and the OpenAPI documents are all made
 * from this table.
 */
export const OPERATIONS: readonly Operation[] = [...PROJECT_OPERATIONS, ...SERVICE_OPERATIONS];

/** The operations of the contract, under `/v1`. */
export const CONTRACT_OPERATIONS: readonly Operation[] = OPERATIONS.filter(isOfContract);

/**
 * What a management key opens: every operation of management, and those of the contract for any project, whose paths follow that of
 * the project.
 */
export const MANAGED_OPERATIONS: readonly Operation[] = OPERATIONS.map((operation) =>
  isOfContract(operation)
    ? { ...operation, path: `/manage/v1/projects/{project}${operation.path}` }
    : operation,
);

/** What anybody may ask and do for a wallet without a key, because only its own signature changes anything. */
export const WALLET_OPERATIONS = operationsOf<WalletGroups>({ wallets: walletOperations });

/** Whether an operation is of the contract. */
function isOfContract({ scope }: Operation): boolean {
  return scope === 'project';
}

type Members = Readonly<Record<string, Declaration<unknown>>>;

/** The operations of groups, each with its name: `plans.create` is the member `create` of `plans`. */
export function operationsOf<Groups extends { readonly [Group in keyof Groups]: Members }>(
  groups: Groups,
): readonly Operation[] {
  return Object.entries<Members>(groups).flatMap(([group, members]) =>
    Object.entries(members).map(([member, declared]) => ({ ...declared, name: `${group}.${member}` })),
  );
}
