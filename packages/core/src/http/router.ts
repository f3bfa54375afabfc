import { ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import type { ExportFormat } from '../contract/export-format.js';
import { isExport, type Operation } from '../operations/operation.js';
import { isFailure, runOperation, serviceErrorOf } from '../operations/run-operation.js';
import type { ChainUnavailable } from '../ports/index.js';
import type { Project } from '../records/index.js';
import type { Service } from '../service.js';
import { anonymousCaller } from './anonymous-caller.js';
import { createAuthenticate, type Caller, type KeyHolder } from './authenticate.js';
import { routeFinder, type MatchedRoute } from './find-route.js';
import { FixedWindows, type Count } from '../service/fixed-windows.js';
import type { Gate } from './gate.js';
import type { HandlerRequest, HandlerResponse } from './handler-request.js';
import { readBody, readInput, refuseImpossibleParameters } from './read-input.js';
import { measuredRequest } from './measured-request.js';
import { ResponseBuilder } from './response-builder.js';

/** Answers a request, by its path below the base path: null for one outside of it. It never rejects. */
export type Router<Sent extends HandlerRequest = HandlerRequest> = (
  request: Sent,
  path?: string | null,
) => Promise<HandlerResponse>;

/**
 * Serves the operations of a gate to requests in plain values, by `requests#order-of-checks`. All mounts
 * use it, so every mount gives the same answer. The handler never rejects.
 */
export function createRouter<Holder extends KeyHolder, Served extends Operation>(
  service: Service,
  gate: Gate<Holder, Served>,
  anonymousLimiter = new FixedWindows(service.clock),
): Router {
  const authenticate = createAuthenticate(service, gate.keys);
  const keyLimiter = new FixedWindows(service.clock);
  const addressLimiter = new FixedWindows(service.clock);

  /** Counts a call with a valid key, for the key and the route (requests#rate-limit-per-key-and-route). */
  function countKey({ key }: Holder, operation: Served | null): Count {
    // All unknown paths share one window.
    return keyLimiter.count(`${key.id} ${operation?.name ?? 'unknown'}`, gate.limits[classOf(operation)]);
  }

  /**
   * Counts a call with a valid key against its client's address, if the gate limits those together
   * (checkout-sessions#rate-limit-of-sessions).
   */
  function countAddress({ ip }: HandlerRequest, operation: Served | null): Count | null {
    const limit = gate.limitsOfAddress?.[classOf(operation)];
    return limit === undefined
      ? null
      : addressLimiter.count(`${anonymousCaller(ip)} ${classOf(operation)}`, limit);
  }

  /** Counts a call without a valid key against its client's address (requests#anonymous-rate-limit). */
  function countAnonymous({ ip }: HandlerRequest): Count {
    return anonymousLimiter.count(anonymousCaller(ip), LIMITS.anonymousCallsPerMinute);
  }

  /**
   * Finds the caller of a request and counts the call. A call with a key that is not known as valid counts as
   * anonymous before the key is looked up, and is taken back when it is valid.
   */
  async function identify(
    request: HandlerRequest,
    matched: MatchedRoute<Served> | null,
  ): Promise<{ readonly caller: Caller<Holder>; readonly count: Count }> {
    const counted: Count[] = [];
    const caller = await authenticate(request.header('authorization'), {
      take() {
        const count = countAnonymous(request);
        counted.push(count);
        return !count.over;
      },
      giveBack() {
        anonymousLimiter.takeBack(anonymousCaller(request.ip));
      },
    });
    if (caller.known) return { caller, count: countKey(caller.holder, matched?.operation ?? null) };
    return { caller, count: counted[0] ?? countAnonymous(request) };
  }

  async function answer(
    response: ResponseBuilder,
    matched: MatchedRoute<Served> | null,
    request: HandlerRequest,
  ): Promise<HandlerResponse> {
    const { caller, count } = await identify(request, matched);
    const ofAddress = caller.known ? countAddress(request, matched?.operation ?? null) : null;
    if (ofAddress !== null) response.countCall(ofAddress);
    response.countCall(count);
    if (matched === null) {
      throw new ServiceError('not_found', {
        message: `Cannot ${request.method} ${request.path.slice(0, 200)}`,
      });
    }
    if (!caller.known) {
      throw caller.code === 'missing_api_key'
        ? new ServiceError(caller.code, { message: gate.missingKey })
        : new ServiceError(gate.unknownKey ?? caller.code);
    }
    if (gate.refusesOtherPages === true) response.refuseOtherPages();
    response.refuseUnservedVersion();
    const { operation, parameters } = matched;
    const bytes = await readBody(request);
    refuseImpossibleParameters(matched);
    const { actor, call } = await gate.admit(caller.holder, matched);
    const input = readInput(operation, request, bytes);
    const result = await runOperation(operation, { ...parameters, ...call, service, input }, actor);
    return isExport(operation)
      ? response.file(
          fileName(matched, request, call.project, service.clock.now()),
          formatOf(input),
          result as AsyncIterable<string>,
        )
      : response.answer(operation.status, result ?? {});
  }

  return routeHandler(service, gate.operations, answer);
}

/** The letters of Latin that are no letter with an accent. */
const OWN_LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i' },
};

/** The name of an export's file: its list, project and days (payments#names-of-files). */
function fileName(
  { operation }: MatchedRoute<Operation>,
  { search }: HandlerRequest,
  project: Project | undefined,
  now: Date,
): string {
  const list = operation.path.split('/').at(-2);
  const plain = project?.name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase() ?? '';
  const shop =
    plain
      .replaceAll(/[^a-z0-9]/g, (letter) => OWN_LETTERS[letter] ?? ' ')
      .split(' ')
      .filter((part) => part !== '')
      .join('-') || project?.id;
  const asked = new URLSearchParams(search);
  const days = [asked.get('from'), asked.get('to') ?? now.toISOString()].map((day) => day?.slice(0, 10));
  return [list, shop, ...days].filter(Boolean).join('-');
}

function formatOf(input: unknown): ExportFormat {
  return (input as { readonly format: ExportFormat }).format;
}

function classOf(operation: Operation | null): 'read' | 'write' {
  return operation?.method === 'POST' || operation?.readsChain === true ? 'write' : 'read';
}

/** Answers a request for an operation, or for none. A thrown error becomes a refusal. */
type AnswerRoute<Served extends Operation, Sent extends HandlerRequest> = (
  response: ResponseBuilder,
  matched: MatchedRoute<Served> | null,
  request: Sent,
) => Promise<HandlerResponse>;

/** Finds the operation of each request, and answers it as a span of its route. The handler never rejects. */
export function routeHandler<Served extends Operation, Sent extends HandlerRequest = HandlerRequest>(
  service: Service,
  operations: readonly Served[],
  answer: AnswerRoute<Served, Sent>,
): Router<Sent> {
  const find = routeFinder(operations);
  return (request, path = request.path) => {
    const matched = path === null ? null : find(request.method, path);
    return measuredRequest(service.telemetry, request, matched?.operation.path ?? 'unknown', async () => {
      const response = new ResponseBuilder(request, path, service.random);
      try {
        return await answer(response, matched, request);
      } catch (thrown) {
        const error = serviceErrorOf(thrown);
        if (isFailure(error)) logFailure(service, response.requestId, matched, error);
        return response.refuse(error);
      }
    });
  };
}

function logFailure(
  service: Service,
  requestId: string,
  matched: MatchedRoute<Operation> | null,
  error: ServiceError,
): void {
  const operation = matched?.operation.name ?? null;
  const route = matched === null ? null : `${matched.operation.method} ${matched.operation.path}`;
  service.logger.error(
    { request_id: requestId, operation, route, code: error.code, ...causeOf(error) },
    error.message,
  );
}

/**
 * The cause of a failure as a log may show it: the name, message and stack of an error. Other fields could
 * have keys or customer data of the request.
 */
function causeOf({ cause }: ServiceError): object {
  if (cause === undefined) return {};
  if (isChainUnavailable(cause)) return { chain: cause };
  const { name, message, stack } =
    cause instanceof Error ? cause : new TypeError(`A ${typeof cause} was thrown, which is no Error.`);
  return { err: Object.assign(new Error(message), { name, stack }) };
}

/** Whether a cause is the reason why the chain is unavailable, which contains nothing of the request. */
function isChainUnavailable(cause: unknown): cause is ChainUnavailable {
  const kind = typeof cause === 'object' && cause !== null && 'kind' in cause ? cause.kind : null;
  return kind === 'transport' || kind === 'rpc';
}
