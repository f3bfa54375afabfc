import type { z } from 'zod';

import { ServiceError } from './contract/errors.js';
import type { PlanInput, ProjectInput } from './contract/management.js';
import {
  AccessQuery,
  AttemptsQuery,
  CreateBody,
  SubmitBody,
  SubscriptionsQuery,
} from './contract/requests.js';
import { charge } from './engine/charge.js';
import { checkAccess } from './operations/access.js';
import { createApiKey, revokeApiKey } from './operations/api-keys.js';
import { planWire } from './operations/plan-wire.js';
import { listPlans, retrievePlan } from './operations/plans-read.js';
import { confirmPlan, createPlan, publishPlan } from './operations/plans.js';
import { createProject, listProjects, projectWire } from './operations/projects.js';
import { listAttempts } from './operations/subscriptions/attempts.js';
import { createSubscription } from './operations/subscriptions/create.js';
import { listSubscriptions } from './operations/subscriptions/list.js';
import { retrieveSubscription } from './operations/subscriptions/retrieve.js';
import { submitSubscription } from './operations/subscriptions/submit.js';
import { freshTransaction } from './operations/subscriptions/transaction.js';
import { validated } from './operations/validated.js';
import type { ApiKeyId, Project, ProjectId } from './records/index.js';
import type { Service } from './service.js';
import { TIERS } from './service.js';

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
    if (project === null) throw new ServiceError('not_found', { message: `There is no project ${id}.` });
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
        return planWire(service, project, await createPlan(service, project, input));
      },
      /** The transaction that puts a draft on chain, for its owner's wallet to sign and send. */
      publish: async (projectId: string, slug: string) =>
        publishPlan(service, await projectOf(projectId), slug),
      /** Publishes a draft once the chain shows it. */
      confirmPublish: async (projectId: string, slug: string) => {
        const project = await projectOf(projectId);
        return planWire(service, project, await confirmPlan(service, project, slug));
      },
      list: async (projectId: string) => listPlans(service, await projectOf(projectId)),
      retrieve: async (projectId: string, slug: string) =>
        retrievePlan(service, await projectOf(projectId), slug),
    },
    access: {
      /** Whether a customer has access now, to one plan or to every plan they have anything on (D6). */
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
      retrieve: async (projectId: string, id: string) =>
        retrieveSubscription(service, await projectOf(projectId), id),
      list: async (projectId: string, query: z.input<typeof SubscriptionsQuery>) =>
        listSubscriptions(service, await projectOf(projectId), validated(SubscriptionsQuery, query)),
      attempts: async (projectId: string, id: string, query: z.input<typeof AttemptsQuery> = {}) =>
        listAttempts(service, await projectOf(projectId), id, validated(AttemptsQuery, query)),
    },
    worker: {
      /** One pass over every subscription whose time has come. Run it every second or so, on any number of hosts. */
      charge: () => charge(service),
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
