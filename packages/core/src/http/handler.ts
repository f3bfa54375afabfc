import { ServiceError, type ErrorCode } from '../contract/errors.js';
import {
  CONTRACT_OPERATIONS,
  MANAGED_OPERATIONS,
  SESSION_OPERATIONS,
  WALLET_OPERATIONS,
} from '../operation-table.js';
import type { Random } from '../ports/index.js';
import { atFirstRequest, type Openable } from './at-first-request.js';
import { createFetchHandler, type ClientAddress, type FetchHandler } from './fetch-handler.js';
import { belowBasePath } from './find-route.js';
import type {
  HandlerRequest,
  HandlerResponse,
  MountOptions,
  RequestHandler,
  WholeResponse,
} from './handler-request.js';
import { FixedWindows } from '../service/fixed-windows.js';
import { createHealth, type HealthOptions } from './health.js';
import { contractGate, managementGate } from './gate.js';
import { createManagementSwitch } from './management-switch.js';
import { measuredRequest } from './measured-request.js';
import {
  customerDocument,
  managementDocument,
  openApiDocument,
  sessionDocument,
  walletDocument,
} from './openapi.js';
import { ResponseBuilder } from './response-builder.js';
import { createRouter, type Router } from './router.js';
import type { Served } from './served.js';
import { createCustomerRouter } from './customer-router.js';
import { createOpenRouter, walletEntrance } from './open-router.js';

/** How a handler of plain values is mounted. */
export interface RequestHandlerOptions extends MountOptions {
  /** Facts of the server that `/health` reports. */
  readonly health?: HealthOptions;
  /**
   * Whether to serve the routes under `/wallet/v1`, by which a page lets wallets cancel. They take no key,
   * and show only facts of the chain and of the signed terms. Default: false.
   */
  readonly walletRoutes?: boolean;
  /**
   * Whether to serve the routes under `/customer/v1`, which pages of a checkout and a portal call with the
   * secret of a session, and by which plan links are opened. Default: false.
   */
  readonly customerRoutes?: boolean;
}

/** How a fetch handler is mounted. */
export interface HandlerOptions extends RequestHandlerOptions {
  /**
   * Returns the client's address, by which calls without a valid key are limited. Take it from your platform
   * or proxy, such as `request.headers.get('cf-connecting-ip')` on Cloudflare: with a header that clients can
   * write, they would avoid the limit. Without this option such calls share one limit, and all
   * visitors of `customerRoutes` that of one address.
   */
  readonly clientAddress?: ClientAddress;
}

/**
 * Serves the contract to anything that speaks fetch: `/v1`, `/openapi.json` and `/health`; the routes that
 * make checkouts, portals and plan links: `/checkout/v1`, `/portal/v1` and `/checkout/openapi.json`; once a
 * management key exists, also `/manage/v1` and `/manage/openapi.json`; with `walletRoutes`, also `/wallet/v1`
 * and `/wallet/openapi.json`; with `customerRoutes`, also `/customer/v1` and `/customer/openapi.json`. Never
 * rejects, unless an `Opener` without `failurePorts` does. `billing.handler` is one with the options of
 * `createBilling`.
 *
 * @example
 * // Under /billing of a server that is reached through Cloudflare only.
 * const handler = createHandler(billing, {
 *   basePath: '/billing',
 *   clientAddress: (request) => request.headers.get('cf-connecting-ip'),
 * });
 * const response = await handler(request);
 */
export function createHandler(billing: Openable<Served>, options: HandlerOptions = {}): FetchHandler {
  return atFirstRequest(billing, (opened) =>
    createFetchHandler(createRequestHandler(opened, options), options.clientAddress),
  );
}

/**
 * Serves the contract in plain values, with the same answers as `createHandler`, for a server that does not
 * speak fetch: making a Request and a Response may cost more than the answer. The handler never rejects.
 *
 * @example
 * const handle = createRequestHandler(billing);
 * const { status, headers, body } = await handle({
 *   method: 'GET',
 *   path: '/v1/plans',
 *   search: '',
 *   ip: '203.0.113.7',
 *   body: new Blob([]).stream(),
 *   header: (name) => (name === 'authorization' ? 'Bearer SUB_...' : null),
 * });
 */
export function createRequestHandler(billing: Served, options: RequestHandlerOptions = {}): RequestHandler {
  const { service } = billing;
  const below = belowBasePath(options.basePath);
  const limiter = new FixedWindows(service.clock);
  const ofKeys = [...CONTRACT_OPERATIONS, ...SESSION_OPERATIONS];
  const route = createRouter(service, contractGate(service, ofKeys), limiter);
  const manage = createRouter(service, managementGate(service, MANAGED_OPERATIONS), limiter);
  const isManaged = createManagementSwitch(service);
  const health = createHealth(billing, options.health);
  const mounts: readonly Mount[] = [
    mountOf('/manage/', managementDocument, manage, isManaged),
    ...(options.walletRoutes === true
      ? [mountOf('/wallet/', walletDocument, createOpenRouter(service, walletEntrance(WALLET_OPERATIONS)))]
      : []),
    ...(options.customerRoutes === true
      ? [mountOf('/customer/', customerDocument, createCustomerRouter(service, limiter))]
      : []),
  ];
  const answers: Answers = new Map<string, Answer>([
    ['/health', health.whole],
    ['/health/live', health.live],
    ['/health/ready', health.ready],
    ['/openapi.json', documentResponse(openApiDocument)],
    ['/checkout/openapi.json', documentResponse(sessionDocument)],
  ]);

  return async (request) => {
    const path = below(request.path);
    const mount = path === null ? undefined : mounts.find(({ prefix }) => path.startsWith(prefix));
    const { answers: open, route: handle } =
      mount !== undefined && (await mount.isOn()) ? mount : { answers, route };
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const answer = isRead && path !== null ? open.get(path) : undefined;
    if (path === null || answer === undefined) return handle(request, path);
    return measuredRequest(service.telemetry, request, path, async () =>
      withoutBodyOfHead(request, await answer()),
    );
  };
}

/** An answer that needs no key. */
type Answer = () => HandlerResponse | Promise<HandlerResponse>;

type Answers = ReadonlyMap<string, Answer>;

/** Routes below a path of their own, beside those of the contract. */
interface Mount {
  readonly prefix: string;
  readonly answers: Answers;
  readonly route: Router;
  /** Whether they are served now; else the contract refuses their paths as unknown. */
  isOn(): boolean | Promise<boolean>;
}

/** Routes with their OpenAPI document. */
function mountOf(
  prefix: string,
  document: () => object,
  route: Router,
  isOn: Mount['isOn'] = () => true,
): Mount {
  return { prefix, answers: new Map([[`${prefix}openapi.json`, documentResponse(document)]]), route, isOn };
}

function withoutBodyOfHead({ method }: HandlerRequest, response: HandlerResponse): HandlerResponse {
  return method === 'HEAD' ? { ...response, body: '' } : response;
}

/** An OpenAPI document as a response, made once. Its server is relative, so it is right under any mount. */
function documentResponse(make: () => object): () => HandlerResponse {
  let made: HandlerResponse | null = null;
  return () =>
    (made ??= {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(make()),
    });
}

/** Answers a request with an error of the contract. */
export type Refuse = (request: HandlerRequest, code: ErrorCode, message?: string) => WholeResponse;

/**
 * Makes the refusals of a server in front of a handler, such as one that is shutting down. Their headers and
 * body are those of every error of the contract.
 *
 * @example
 * const handle = createRequestHandler(billing, { basePath: '/billing' });
 * const refuse = createRefuse(random, { basePath: '/billing' });
 * let stopping = false;
 * const serve: RequestHandler = async (request) =>
 *   stopping ? refuse(request, 'unavailable') : handle(request);
 */
export function createRefuse(random: Random, options: MountOptions = {}): Refuse {
  const below = belowBasePath(options.basePath);
  return (request, code, message) =>
    new ResponseBuilder(request, below(request.path), random).refuse(
      new ServiceError(code, message === undefined ? {} : { message }),
    );
}
