import * as z from 'zod';

import { ServiceError } from '../contract/errors.js';
import { emailInput, externalIdInput } from '../contract/inputs.js';
import { LIMITS } from '../contract/limits.js';
import { read } from '../contract/validation-messages.js';
import { CUSTOMER_OPERATIONS } from '../operation-table.js';
import { type CustomerCaller, namedCustomer } from '../operations/customer/caller.js';
import { requireProject } from '../operations/require.js';
import type { Service } from '../service.js';
import { atFirstRequest, type Openable } from './at-first-request.js';
import {
  type ClientAddress,
  createFetchHandler,
  type FetchHandler,
  type FetchRequest,
} from './fetch-handler.js';
import { createOpenRouter } from './open-router.js';
import type { Served } from './served.js';

/** A customer as an app knows it: by your own id, by email, or by both. */
export interface AppCustomer {
  /** Your own id of the customer. With it, the customer has every subscription of that external id. */
  readonly external_id?: string | null | undefined;
  /**
   * The address for notices. Without an external id, the customer has every subscription of that email alone.
   */
  readonly email?: string | null | undefined;
}

/** The options of a handler for the customers of an app. */
export interface CustomerHandlerOptions {
  /** The id of the project to which the customers belong. */
  readonly project: string;
  /** The slugs of the plans to offer, in their order. Default: every published plan of the project. */
  readonly plans?: readonly string[];
  /**
   * Returns the customer who is logged in to your app with this request, by your own id alone or as an
   * object; null for nobody. Read the session of the log-in, and never a field that the browser may choose:
   * the caller sees and manages all that the customer has who is named here. The body belongs to the handler.
   */
  readonly customer: (request: Request) => Promise<AppCustomer | string | null> | AppCustomer | string | null;
  /**
   * Returns the client's address, as for `createHandler`, to limit the calls of an address too. Without it
   * only those of each customer are limited.
   */
  readonly clientAddress?: ClientAddress | undefined;
}

/** The routes of customers begin with this; below an app's own path they do without it. */
const PREFIX = '/customer/v1';

/** A path from the route of a customer on, behind whatever path the app has mounted the handler at. */
const ROUTE = /^.*(\/(?:session|subscriptions|receipts)(?:\/.*)?)$/;

const AppCustomerAnswer = z.preprocess(
  (answer) => (typeof answer === 'string' ? { external_id: answer } : answer),
  z
    .object({ external_id: externalIdInput.nullish(), email: emailInput.nullish() })
    .refine(({ external_id, email }) => external_id != null || email != null, {
      error: 'must have an external_id, an email, or both',
    })
    .nullable(),
);

/**
 * Serves the customers of an app beside the app's own log-in, at any path: they see plans and their
 * subscriptions, check out, cancel, resume, close and retry, and nothing else. Takes no API key and no
 * session, so it works with any store. Every POST needs the header `Service-Version`, so that no page of
 * another origin acts with the log-in. Never rejects, unless an `Opener` without `failurePorts` does. Throws
 * a TypeError for options that cannot be used.
 *
 * @example
 * const customers = createCustomerHandler(billing, {
 *   project: projectId,
 *   plans: ['pro'],
 *   customer: async (request) => (await userOf(request))?.id ?? null,
 * });
 * const response = await customers(request);
 */
export function createCustomerHandler(
  billing: Openable<Pick<Served, 'service'>>,
  options: CustomerHandlerOptions,
): FetchHandler {
  requireOptions(options);
  return atFirstRequest(billing, ({ service }) => handlerOf(service, options));
}

function handlerOf(service: Service, options: CustomerHandlerOptions): FetchHandler {
  const route = createOpenRouter<FetchRequest>(service, {
    operations: CUSTOMER_OPERATIONS,
    refusesOtherPages: true,
    countAddress: (count, address, operation) => {
      // Unknown addresses would share one limit, with which one customer holds up all others.
      if (options.clientAddress === undefined) return;
      const type = operation?.method === 'POST' ? 'write' : 'read';
      count(`address ${type} ${address}`, LIMITS.customerCallsPerMinuteOfAddress);
    },
    async admit({ request }, { operation }, count) {
      const caller = await readCaller(service, options, request);
      count(`${JSON.stringify(namedCustomer(caller))} ${operation.name}`, LIMITS.customerCallsPerMinute);
      return { project: caller.project, caller };
    },
  });
  return createFetchHandler((request) => {
    const path = ROUTE.exec(request.path)?.[1];
    return route(request, path === undefined ? null : PREFIX + path);
  }, options.clientAddress);
}

function requireOptions({ project, customer, plans }: CustomerHandlerOptions): void {
  if (typeof project !== 'string')
    throw new TypeError('createCustomerHandler needs project: the id of the project of the customers.');
  if (typeof customer !== 'function')
    throw new TypeError(
      'createCustomerHandler needs customer: a function that returns the customer of a request, or null.',
    );
  if (plans !== undefined && !Array.isArray(plans))
    throw new TypeError('plans of createCustomerHandler must be a list of slugs.');
}

/** The customer of a request. A failure of the app's function is logged and answered as `internal_error`. */
async function readCaller(
  service: Service,
  { customer, project, plans }: CustomerHandlerOptions,
  request: Request,
): Promise<CustomerCaller> {
  const answer = read(AppCustomerAnswer, await call(customer, request));
  if ('sentences' in answer)
    throw failure(
      `The function customer of createCustomerHandler must return an id, { external_id }, { email }, both, or null: ${answer.sentences.join(' ')}`,
    );
  if (answer.value === null) throw new ServiceError('not_logged_in');
  const { external_id = null, email = null } = answer.value;
  return {
    project: await requireProjectOf(service, project),
    session: null,
    customer: { externalId: external_id, email },
    plans: plans ?? null,
  };
}

async function call(customer: CustomerHandlerOptions['customer'], request: Request): Promise<unknown> {
  try {
    return await customer(request);
  } catch (cause) {
    // The error is the app's, also a refusal of another service, which must not be answered as one of this.
    const { name, message, stack } = cause instanceof Error ? cause : new Error(String(cause));
    throw failure(`The function customer of createCustomerHandler threw ${name}: ${message}`, stack);
  }
}

/** A project that is gone is a fault of the app's options and not of its customer. */
async function requireProjectOf(service: Service, id: string): Promise<CustomerCaller['project']> {
  try {
    return await requireProject(service, id);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    const why =
      id === ''
        ? 'It is empty. Is the setting missing from which it comes, such as SUBRAIL_PROJECT?'
        : cause.message;
    throw failure(`The option project of createCustomerHandler: ${why}`);
  }
}

function failure(message: string, stack?: string): ServiceError {
  const cause = new TypeError(message);
  if (stack !== undefined) cause.stack = `TypeError: ${message}\n${stack}`;
  return new ServiceError('internal_error', { cause });
}
