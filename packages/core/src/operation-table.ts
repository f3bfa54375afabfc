import {
  MANAGED_PROJECT_GROUPS,
  SERVICE_GROUPS,
  type ManagedProjectGroups,
  type ServiceGroups,
} from './management/table.js';
import { accessOperations } from './operations/access/operations.js';
import { actionOperations } from './operations/actions/operations.js';
import { checkoutOperations } from './operations/checkout/operations.js';
import { customerOperations, visitorOperations } from './operations/customer/operations.js';
import { eventOperations } from './operations/events/operations.js';
import { isOfSessions, type Declaration, type Operation } from './operations/operation.js';
import { planOperations } from './operations/plans/operations.js';
import { projectOperations } from './operations/projects/operations.js';
import { checkoutsOperations, linksOperations, portalOperations } from './operations/sessions/operations.js';
import { subscriptionOperations } from './operations/subscriptions/operations.js';
import { walletOperations } from './operations/wallets/operations.js';

/** The groups of operations that belong to one project: those of the contract, and those of management. */
export interface ProjectGroups extends Omit<ManagedProjectGroups, 'projects' | 'plans' | 'subscriptions'> {
  /** The project itself. Its functions are in no group: `billing.project(id).retrieve()`. */
  readonly projects: ManagedProjectGroups['projects'] & typeof projectOperations;
  /** Access: what a customer may use now. */
  readonly access: typeof accessOperations;
  /** Plans: what a subscriber pays, how often, and to whom. */
  readonly plans: ManagedProjectGroups['plans'] & typeof planOperations;
  /** Subscriptions: from checkout to close. */
  readonly subscriptions: typeof checkoutOperations &
    typeof subscriptionOperations &
    ManagedProjectGroups['subscriptions'] &
    typeof actionOperations;
  /** Events: what happened to the subscriptions of a project, kept for 30 days. */
  readonly events: typeof eventOperations;
  /** Checkouts: pages on which a customer subscribes. */
  readonly checkouts: typeof checkoutsOperations;
  /** The portal: a page on which a customer sees and manages what he is subscribed to. */
  readonly portal: typeof portalOperations;
  /** Plan links: permanent addresses that open a checkout for whoever follows them. */
  readonly links: typeof linksOperations;
}

/** The operations of wallets. They have functions in the client, and none in process. */
export interface WalletGroups {
  /**
   * The routes of a page on which wallets cancel, for every project. They need no key, because only the
   * wallet's signature changes anything. A handler without `walletRoutes` refuses each with `not_found`.
   */
  readonly wallets: typeof walletOperations;
}

export const PROJECT_OPERATIONS = operationsOf<ProjectGroups>({
  access: accessOperations,
  projects: { ...MANAGED_PROJECT_GROUPS.projects, ...projectOperations },
  keys: MANAGED_PROJECT_GROUPS.keys,
  plans: { ...MANAGED_PROJECT_GROUPS.plans, ...planOperations },
  subscriptions: {
    ...checkoutOperations,
    ...subscriptionOperations,
    ...MANAGED_PROJECT_GROUPS.subscriptions,
    ...actionOperations,
  },
  events: eventOperations,
  checkouts: checkoutsOperations,
  portal: portalOperations,
  links: linksOperations,
  payments: MANAGED_PROJECT_GROUPS.payments,
  endpoints: MANAGED_PROJECT_GROUPS.endpoints,
  deliveries: MANAGED_PROJECT_GROUPS.deliveries,
  mails: MANAGED_PROJECT_GROUPS.mails,
  doctor: MANAGED_PROJECT_GROUPS.doctor,
  reports: MANAGED_PROJECT_GROUPS.reports,
});
export const SERVICE_OPERATIONS = operationsOf<ServiceGroups>(SERVICE_GROUPS);

/** Every operation. The functions of `Billing`, clients, routes and OpenAPI documents derive from it. */
export const OPERATIONS: readonly Operation[] = [...PROJECT_OPERATIONS, ...SERVICE_OPERATIONS];

/** The operations of the contract, under `/v1`. */
export const CONTRACT_OPERATIONS: readonly Operation[] = OPERATIONS.filter(
  (operation) => isOfKey(operation) && !isOfSessions(operation),
);
/**
 * The operations of an API key that make sessions of pages and plan links, under `/checkout/v1` and
 * `/portal/v1`.
 */
export const SESSION_OPERATIONS: readonly Operation[] = OPERATIONS.filter(isOfSessions);

/**
 * The operations of a management key: those of management, and those of an API key for any project, below the
 * project's path.
 */
export const MANAGED_OPERATIONS: readonly Operation[] = OPERATIONS.map((operation) =>
  isOfKey(operation) ? { ...operation, path: `/manage/v1/projects/{project}${operation.path}` } : operation,
);

/** The operations of a wallet, without a key: only its own signature changes anything. */
export const WALLET_OPERATIONS = operationsOf<WalletGroups>({ wallets: walletOperations });

/** The operations of a customer: with a session, or by the log-in of an app. */
export const CUSTOMER_OPERATIONS = operationsOf<{ readonly customer: typeof customerOperations }>({
  customer: customerOperations,
});

/** What a visitor of a plan link may do, without a key. */
export const VISITOR_OPERATIONS = operationsOf<{ readonly visitor: typeof visitorOperations }>({
  visitor: visitorOperations,
});

function isOfKey({ scope }: Operation): boolean {
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
