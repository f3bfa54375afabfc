import { isAddress } from '../contract/base58.js';
import { ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import type { Operation } from '../operations/operation.js';
import { runOperation } from '../operations/run-operation.js';
import type { Service } from '../service.js';
import { anonymousCaller } from './anonymous-caller.js';
import type { MatchedRoute } from './find-route.js';
import { FixedWindows } from '../service/fixed-windows.js';
import type { Limits } from './gate.js';
import type { HandlerRequest } from './handler-request.js';
import { readBody, readInput, refuseImpossibleParameters } from './read-input.js';
import { routeHandler, type Router } from './router.js';

/** Counts a call in the window of this name. Throws `rate_limited` over the limit. */
type CountCall = (window: string, limits: Limits) => void;

/** A way in without a key: the operations that it opens, how calls are counted, and who makes them. */
export interface Entrance<Sent extends HandlerRequest> {
  readonly operations: readonly Operation[];
  /** Whether a POST has to name a version, which no page of another origin can. */
  readonly refusesOtherPages: boolean;
  /** Counts a call by the address of its client, before anything is read. */
  countAddress(count: CountCall, address: string, operation: Operation | null): void;
  /** Returns what the operation gets besides the input and the parameters of the path. Throws a refusal. */
  admit(request: Sent, matched: MatchedRoute<Operation>, count: CountCall): Promise<object>;
  /** Refuses parameters of a path that no caller can mean. */
  refuseParameters?(parameters: MatchedRoute<Operation>['parameters']): void;
}

/** Serves the operations of an entrance to requests in plain values. The handler never rejects. */
export function createOpenRouter<Sent extends HandlerRequest>(
  service: Service,
  entrance: Entrance<Sent>,
): Router<Sent> {
  const limiter = new FixedWindows(service.clock);
  return routeHandler<Operation, Sent>(service, entrance.operations, async (response, matched, request) => {
    const operation = matched?.operation ?? null;
    const count: CountCall = (window, limits) => {
      response.countCall(limiter.count(window, limits[operation?.method === 'POST' ? 'write' : 'read']));
    };
    entrance.countAddress(count, anonymousCaller(request.ip), operation);
    if (matched === null) throw new ServiceError('not_found');
    if (entrance.refusesOtherPages) {
      response.refuseOtherPages();
      response.refuseUnservedVersion();
    }
    const admitted = await entrance.admit(request, matched, count);
    const bytes = await readBody(request);
    refuseImpossibleParameters(matched);
    entrance.refuseParameters?.(matched.parameters);
    const input = readInput(matched.operation, request, bytes);
    const call = { ...matched.parameters, ...admitted, service, input };
    return response.answer(matched.operation.status, await runOperation(matched.operation, call, null));
  });
}

/** Wallets, counted by the client's address and the route (cancel-page#limit-of-the-page). */
export function walletEntrance(operations: readonly Operation[]): Entrance<HandlerRequest> {
  return {
    operations,
    refusesOtherPages: false,
    countAddress: (count, address, operation) => {
      count(`${address} ${operation?.name ?? 'unknown'}`, LIMITS.walletCallsPerMinute);
    },
    admit: async () => ({}),
    refuseParameters({ wallet = '' }) {
      if (!isAddress(wallet))
        throw new ServiceError('invalid_request', {
          sentences: ['The path must name the address of a wallet.'],
        });
    },
  };
}

/** Visitors of plan links, counted by the client's address (checkout-sessions#rate-limit-of-sessions). */
export function linkEntrance(operations: readonly Operation[]): Entrance<HandlerRequest> {
  const limits = { read: LIMITS.linksPerMinute, write: LIMITS.linksPerMinute };
  return {
    operations,
    refusesOtherPages: true,
    countAddress: (count, address) => {
      count(address, limits);
    },
    admit: async () => ({}),
  };
}
