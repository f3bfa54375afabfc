import type { z } from 'zod';

import type { EndpointInput, EndpointUpdate, SecretRotation } from './contract/endpoint.js';
import { ServiceError } from './contract/errors.js';
import { EventsQuery } from './contract/event.js';
import type { PlanInput, ProjectInput } from './contract/management.js';
import {
  AccessQuery,
  AttemptsQuery,
  ConfirmBody,
  CreateBody,
  SubmitBody,
  SubscriptionsQuery,
} from './contract/requests.js';
import { runChargePass } from './worker/charges/charge-pass.js';
import { runDeliveryPass } from './worker/deliveries/delivery-pass.js';
import { checkAccess } from './operations/access/check-access.js';
import { createApiKey, revokeApiKey } from './operations/projects/api-keys.js';
import {
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  retrieveEndpoint,
  rotateSecret,
  updateEndpoint,
} from './operations/endpoints/endpoints.js';
import { listEvents, retrieveEvent } from './operations/events/events.js';
import { describePlan } from './operations/describe-plans.js';
import { listPlans, retrievePlan } from './operations/plans/read-plans.js';
import { confirmPlan, createPlan, publishPlan } from './operations/plans/plans.js';
import { createProject, listProjects, projectWire } from './operations/projects/projects.js';
import { listAttempts } from './operations/subscriptions/attempts.js';
import { cancelSubscription, confirmCancel } from './operations/actions/cancel.js';
import { closeSubscription, confirmClose } from './operations/actions/close.js';
import { createSubscription } from './operations/checkout/create.js';
import { listSubscriptions } from './operations/subscriptions/list.js';
import { confirmResume, resumeSubscription } from './operations/actions/resume.js';
import { retrieveSubscription } from './operations/subscriptions/retrieve.js';
import { retrySubscription } from './operations/subscriptions/retry.js';
import { submitSubscription } from './operations/checkout/submit.js';
import { freshTransaction } from './operations/checkout/transaction.js';
import { validated } from './contract/validated.js';
import type { ApiKeyId, Project, ProjectId } from './records/index.js';
import type { Service } from './service.js';
import { quoted } from './contract/validation-messages.js';
import { TIERS } from './contract/tiers.js';

/** What `createBilling` is given: the ports, and what has an honest default left out (no names, no prices, no logs). */
export type BillingPorts = Pick<Service, 'store' | 'chain' | 'clock' | 'random' | 'crypto' | 'sender'> &
  Partial<Pick<Service, 'tokens' | 'prices' | 'logger'>> & {
    readonly settings?: Partial<Service['settings']>;
  };

/**
 * The whole service over ports. Every function validates what it is given and throws `ServiceError` with a code of the contract
 * when it refuses; scoped ones take the project's id first.
 *
 * @example
 * const billing = createBilling({ store, chain, clock, random, crypto, sender });
 * const { access } = await billing.access.check(projectId, { external_id: 'customer-42', plan: 'pro' });
 */
export function createBilling(ports: BillingPorts) {
  const service = serviceOf(ports);
  const projectOf = async (id: string): Promise<Project> => {
    const project = await service.store.findProject(id as ProjectId);
    if (project === null)
      throw new ServiceError('not_found', { message: `There is no project ${quoted(id)}.` });
    return project;
  };
  return {
    /** The ports and settings everything runs on. */
    service,
    projects: {
      create: (input: ProjectInput) => createProject(service, input),
      list: () => listProjects(service),
      retrieve: async (id: string) => projectWire(service, await projectOf(id)),
    },
    keys: {
      /** The answer is the only time the key is seen. */
      create: async (projectId: string) => createApiKey(service, (await projectOf(projectId)).id),
      revoke: (keyId: ApiKeyId) => revokeApiKey(service, keyId),
    },
    plans: {
      /** A draft. `publish` it next. */
      create: async (projectId: string, input: PlanInput) => {
        const project = await projectOf(projectId);
        return describePlan(service, project, await createPlan(service, project, input));
      },
      /** The transaction that puts a draft on chain, for its owner's wallet to sign and send. */
      publish: async (projectId: string, slug: string) =>
        publishPlan(service, await projectOf(projectId), slug),
      /** Publishes a draft once the chain shows it. */
      confirmPublish: async (projectId: string, slug: string) => {
        const project = await projectOf(projectId);
        return describePlan(service, project, await confirmPlan(service, project, slug));
      },
      list: async (projectId: string) => listPlans(service, await projectOf(projectId)),
      retrieve: async (projectId: string, slug: string) =>
        retrievePlan(service, await projectOf(projectId), slug),
    },
    access: {
      /** Whether a customer has access now, to one plan or to every plan they have anything on (access#computed-at-the-instant-asked). */
      check: async (projectId: string, query: z.input<typeof AccessQuery>) =>
        checkAccess(service, await projectOf(projectId), validated(AccessQuery, query)),
    },
    subscriptions: {
      create: async (projectId: string, body: z.input<typeof CreateBody>) =>
        createSubscription(service, await projectOf(projectId), validated(CreateBody, body)),
      transaction: async (projectId: string, id: string) =>
        freshTransaction(service, await projectOf(projectId), id),
      submit: async (projectId: string, id: string, body: z.input<typeof SubmitBody>) =>
        submitSubscription(service, await projectOf(projectId), id, validated(SubmitBody, body)),
      /** Fires the charge of a missed period by hand; the outcome comes as an event. */
      retry: async (projectId: string, id: string) =>
        retrySubscription(service, await projectOf(projectId), id),
      /** The transaction with which the wallet cancels; `confirmCancel` once it sent it. Resume and close work alike. */
      cancel: async (projectId: string, id: string) =>
        cancelSubscription(service, await projectOf(projectId), id),
      confirmCancel: async (projectId: string, id: string, body: z.input<typeof ConfirmBody>) =>
        confirmCancel(service, await projectOf(projectId), id, validated(ConfirmBody, body)),
      resume: async (projectId: string, id: string) =>
        resumeSubscription(service, await projectOf(projectId), id),
      confirmResume: async (projectId: string, id: string, body: z.input<typeof ConfirmBody>) =>
        confirmResume(service, await projectOf(projectId), id, validated(ConfirmBody, body)),
      close: async (projectId: string, id: string) =>
        closeSubscription(service, await projectOf(projectId), id),
      confirmClose: async (projectId: string, id: string, body: z.input<typeof ConfirmBody>) =>
        confirmClose(service, await projectOf(projectId), id, validated(ConfirmBody, body)),
      retrieve: async (projectId: string, id: string) =>
        retrieveSubscription(service, await projectOf(projectId), id),
      list: async (projectId: string, query: z.input<typeof SubscriptionsQuery>) =>
        listSubscriptions(service, await projectOf(projectId), validated(SubscriptionsQuery, query)),
      attempts: async (projectId: string, id: string, query: z.input<typeof AttemptsQuery> = {}) =>
        listAttempts(service, await projectOf(projectId), id, validated(AttemptsQuery, query)),
    },
    events: {
      list: async (projectId: string, query: z.input<typeof EventsQuery> = {}) =>
        listEvents(service, await projectOf(projectId), validated(EventsQuery, query)),
      retrieve: async (projectId: string, id: string) =>
        retrieveEvent(service, await projectOf(projectId), id),
    },
    endpoints: {
      /** The answer is the only time the signing secret is seen. */
      create: async (projectId: string, input: EndpointInput) =>
        createEndpoint(service, await projectOf(projectId), input),
      list: async (projectId: string) => listEndpoints(service, await projectOf(projectId)),
      retrieve: async (projectId: string, id: string) =>
        retrieveEndpoint(service, await projectOf(projectId), id),
      update: async (projectId: string, id: string, input: EndpointUpdate) =>
        updateEndpoint(service, await projectOf(projectId), id, input),
      enable: async (projectId: string, id: string) =>
        enableEndpoint(service, await projectOf(projectId), id),
      disable: async (projectId: string, id: string) =>
        disableEndpoint(service, await projectOf(projectId), id),
      rotateSecret: async (projectId: string, id: string, input: SecretRotation = {}) =>
        rotateSecret(service, await projectOf(projectId), id, input),
    },
    /**
     * What time does. Run both passes every second or so, on any number of hosts; losing one loses nothing.
     * They are apart so that a slow endpoint never holds up a charge.
     */
    worker: {
      /** One pass over every subscription whose time has come. */
      charge: () => runChargePass(service),
      /** One pass over every webhook whose time has come. */
      deliver: () => runDeliveryPass(service),
    },
  };
}

/** Everything `createBilling` answers. */
export type Billing = ReturnType<typeof createBilling>;

const SILENT: Service['logger'] = { debug() {}, info() {}, warn() {}, error() {} };

function serviceOf({ settings, ...ports }: BillingPorts): Service {
  return {
    tokens: { find: () => Promise.resolve(null) },
    prices: { usd: () => Promise.resolve(null) },
    logger: SILENT,
    ...ports,
    settings: {
      serviceName: 'Subrail',
      publicUrl: 'http://localhost:3000',
      tiers: TIERS,
      privateTargets: false,
      ...settings,
    },
  };
}
