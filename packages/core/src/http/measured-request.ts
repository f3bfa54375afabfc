import type { Telemetry } from '../ports/index.js';
import type { HandlerRequest, HandlerResponse } from './handler-request.js';

/** The methods that a label may name; clients can write any other. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers a request as a span of its route. `route` is the pattern of a path, or `unknown`, so
 * unauthenticated callers add no label.
 */
export function measuredRequest(
  telemetry: Telemetry,
  { method: sent }: HandlerRequest,
  route: string,
  answer: () => Promise<HandlerResponse>,
): Promise<HandlerResponse> {
  const method = METHODS.includes(sent) ? sent : 'other';
  return telemetry.span(
    { kind: 'request', name: `${method} ${route}`, labels: { method, route } },
    async (end) => {
      const response = await answer();
      end({ outcome: String(response.status), failed: response.status >= 500 && response.status !== 501 });
      return response;
    },
  );
}
