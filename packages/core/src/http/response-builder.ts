import { errorBody } from '../contract/error-body.js';
import { ServiceError } from '../contract/errors.js';
import { SERVED_VERSIONS, VERSION } from '../contract/version.js';
import { base62 } from '../records/new-id.js';
import type { Random } from '../ports/index.js';
import type { Count } from './fixed-windows.js';
import type { HandlerRequest, HandlerResponse } from './handler-request.js';

/** One request being answered: its id, and the headers its answer has gathered so far. */
export class ResponseBuilder {
  readonly requestId: string;
  private readonly headers: Record<string, string>;

  constructor(
    private readonly request: HandlerRequest,
    /** The address's path under the handler's base path, as it was sent; null outside of it. */
    path: string | null,
    random: Random,
  ) {
    this.requestId = `req_${base62(random, 24)}`;
    this.headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Service-Request-Id': this.requestId,
    };
    if (path === '/v1' || path?.startsWith('/v1/')) {
      const asked = this.versionAsked;
      this.headers['Service-Version'] = SERVED_VERSIONS.includes(asked) ? asked : VERSION;
    }
  }

  private get versionAsked(): string {
    return this.request.header('service-version') ?? VERSION;
  }

  /** Contract, Versioning: any version but a served one is refused; none means the first. */
  refuseUnservedVersion(): void {
    if (SERVED_VERSIONS.includes(this.versionAsked)) return;
    throw new ServiceError('unsupported_version', {
      message: `The version named by Service-Version is not served. Served: ${SERVED_VERSIONS.join(', ')}.`,
    });
  }

  /** Tells where the caller stands in its window, and refuses a call past the limit (requests#rate-limit-headers). */
  spend(count: Count): void {
    this.headers['X-RateLimit-Limit'] = String(count.limit);
    this.headers['X-RateLimit-Remaining'] = String(count.remaining);
    this.headers['X-RateLimit-Reset'] = String(count.reset);
    if (count.over) throw new ServiceError('rate_limited', { retryAfter: count.reset });
  }

  /** requests#head-requests: to HEAD without the body. */
  answer(status: number, body: unknown): HandlerResponse {
    const { headers, request } = this;
    return { status, headers, body: request.method === 'HEAD' ? '' : JSON.stringify(body) };
  }

  refuse(error: ServiceError): HandlerResponse {
    if (error.status === 401) this.headers['WWW-Authenticate'] = 'Bearer';
    if (error.retryAfter !== null) this.headers['Retry-After'] = String(error.retryAfter);
    return this.answer(error.status, errorBody(error, this.requestId));
  }
}
