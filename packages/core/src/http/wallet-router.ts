import { isAddress } from '../contract/base58.js';
import { ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import type { Operation } from '../operations/operation.js';
import { runOperation } from '../operations/run-operation.js';
import type { Service } from '../service.js';
import { anonymousCaller } from './anonymous-caller.js';
import type { MatchedRoute } from './find-route.js';
import { FixedWindows } from './fixed-windows.js';
import type { HandlerRequest, HandlerResponse } from './handler-request.js';
import { readBody, readInput, refuseImpossibleParameters } from './read-input.js';
import type { ResponseBuilder } from './response-builder.js';
import { routeHandler, type Router } from './router.js';

/**
 * Serves the operations of wallets to requests in plain values, without a key. Calls are counted by the
 * client's address and the route (cancel-page#limit-of-the-page). The handler never rejects.
 */
export function createWalletRouter(service: Service, operations: readonly Operation[]): Router {
  const limiter = new FixedWindows(service.clock);

  function count({ ip }: HandlerRequest, operation: Operation | null) {
    const limit = LIMITS.walletCallsPerMinute[operation?.method === 'POST' ? 'write' : 'read'];
    return limiter.count(`${anonymousCaller(ip)} ${operation?.name ?? 'unknown'}`, limit);
  }

  async function answer(
    response: ResponseBuilder,
    matched: MatchedRoute<Operation> | null,
    request: HandlerRequest,
  ): Promise<HandlerResponse> {
    response.countCall(count(request, matched?.operation ?? null));
    if (matched === null) throw new ServiceError('not_found');
    const { operation, parameters } = matched;
    const bytes = await readBody(request);
    refuseImpossibleParameters(matched);
    if (!isAddress(parameters['wallet'] ?? ''))
      throw new ServiceError('invalid_request', {
        sentences: ['The path must name the address of a wallet.'],
      });
    const input = readInput(operation, request, bytes);
    const result = await runOperation(operation, { ...parameters, service, input }, null);
    return response.answer(operation.status, result);
  }

  return routeHandler(service, operations, answer);
}
