import { deliveryOperations } from './deliveries/operations.js';
import { doctorOperations } from './doctor/operations.js';
import { endpointOperations, secretOperations } from './endpoints/operations.js';
import { mailOperations } from './mails/operations.js';
import { managementOperations } from './operators/operations.js';
import { paymentOperations } from './payments/operations.js';
import { managedPlanOperations } from './plans/operations.js';
import { keyOperations, managedProjectOperations, projectsOperations } from './projects/operations.js';
import { reportOperations } from './reports/operations.js';
import { managedSubscriptionOperations } from './subscriptions/operations.js';

/**
 * The operations that only an operator has on a project. The groups are types of the literals that declare
 * them, so the published types keep the docblock of every operation.
 */
export interface ManagedProjectGroups {
  readonly projects: typeof managedProjectOperations;
  /** The API keys of a project, which open the HTTP routes for it. */
  readonly keys: typeof keyOperations;
  readonly plans: typeof managedPlanOperations;
  readonly subscriptions: typeof managedSubscriptionOperations;
  /** Payments of a project: the attempts to charge all of its subscriptions. */
  readonly payments: typeof paymentOperations;
  /** Webhook endpoints: where the events of a project are sent. Unknown ones are refused with `not_found`. */
  readonly endpoints: typeof endpointOperations;
  /** Deliveries to the endpoints of a project with their attempts, for 30 days. */
  readonly deliveries: typeof deliveryOperations;
  /** Mails to the customers of a project, for 30 days, their settings, and what they look like. */
  readonly mails: typeof mailOperations;
  /** The doctor of a project, which looks for impossible states in the records and on chain. */
  readonly doctor: typeof doctorOperations;
  /** Reports of a project: upcoming charges, and sums of the last days. */
  readonly reports: typeof reportOperations;
}

/** The operations that only an operator has on the service as a whole. */
export interface ServiceGroups {
  /** Projects: each has its own keys, plans, subscribers and webhook endpoints. */
  readonly projects: typeof projectsOperations;
  /** The stored signing secrets of all projects, which the sealing key encrypts. */
  readonly secrets: typeof secretOperations;
  /** The keys of management over HTTP, and the audit log. */
  readonly management: typeof managementOperations;
}

export const MANAGED_PROJECT_GROUPS: ManagedProjectGroups = {
  projects: managedProjectOperations,
  keys: keyOperations,
  plans: managedPlanOperations,
  subscriptions: managedSubscriptionOperations,
  payments: paymentOperations,
  endpoints: endpointOperations,
  deliveries: deliveryOperations,
  mails: mailOperations,
  doctor: doctorOperations,
  reports: reportOperations,
};

export const SERVICE_GROUPS: ServiceGroups = {
  projects: projectsOperations,
  secrets: secretOperations,
  management: managementOperations,
};
