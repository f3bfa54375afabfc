import { customerErrorBody, errorBody } from '../contract/error-body.js';
import { ServiceError } from '../contract/errors.js';
import { SERVED_VERSIONS, VERSION } from '../contract/version.js';
import { base62 } from '../records/new-id.js';
import type { Random } from '../ports/index.js';
import type { Count } from '../service/fixed-windows.js';
import { EXPORT_TYPES, type ExportFormat } from '../contract/export-format.js';
import type { HandlerRequest, HandlerResponse, WholeResponse } from './handler-request.js';

/** Builds the response to one request: makes the request's id, and collects headers until the answer. */
export class ResponseBuilder {
  readonly requestId: string;
  private readonly headers: Record<string, string>;
  /** The form of the error bodies of the route. */
  private readonly errorBody: typeof customerErrorBody;

  constructor(
    private readonly request: HandlerRequest,
    /** The path below the handler's base path, as it was sent; null outside of it. */
    path: string | null,
    random: Random,
  ) {
    this.errorBody = path?.startsWith('/customer/v1/') === true ? customerErrorBody : errorBody;
    this.requestId = `req_${base62(random, 24)}`;
    this.headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Service-Request-Id': this.requestId,
    };
    if (path === '/v1' || path?.startsWith('/v1/')) {
      const version = this.requestedVersion;
      this.headers['Service-Version'] = SERVED_VERSIONS.includes(version) ? version : VERSION;
    }
  }

  private get requestedVersion(): string {
    return this.request.header('service-version') ?? VERSION;
  }

  /** Refuses a version that is not served. A request without a version gets the first one. */
  refuseUnservedVersion(): void {
    if (SERVED_VERSIONS.includes(this.requestedVersion)) return;
    throw new ServiceError('unsupported_version', {
      message: `The header Service-Version names a version that is not served. Send one of: ${SERVED_VERSIONS.join(', ')}.`,
    });
  }

  /**
   * Refuses a POST without a version, because a page of another origin cannot send that header
   * (checkout-sessions#calls-from-other-pages).
   */
  refuseOtherPages(): void {
    if (this.request.method !== 'POST' || this.request.header('service-version') !== null) return;
    throw new ServiceError('invalid_request', {
      message: `The header Service-Version is missing. Send it with every POST: Service-Version: ${VERSION}.`,
    });
  }

  /** Adds the rate limit headers, and refuses a call past the limit. */
  countCall(count: Count): void {
    this.headers['X-RateLimit-Limit'] = String(count.limit);
    this.headers['X-RateLimit-Remaining'] = String(count.remaining);
    this.headers['X-RateLimit-Reset'] = String(count.reset);
    if (count.over) throw new ServiceError('rate_limited', { retryAfter: count.reset });
  }

  /** Answers with a status and a body. A HEAD request gets the answer without the body. */
  answer(status: number, body: unknown): WholeResponse {
    const { headers, request } = this;
    return { status, headers, body: request.method === 'HEAD' ? '' : JSON.stringify(body) };
  }

  /** Answers with a file, in parts. */
  file(name: string, format: ExportFormat, parts: AsyncIterable<string>): HandlerResponse {
    const headers = {
      ...this.headers,
      'Content-Type': EXPORT_TYPES[format],
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
    };
    return { status: 200, headers, body: this.request.method === 'HEAD' ? '' : parts };
  }

  /** Answers with an error, and with the headers that belong to it. */
  refuse(error: ServiceError): WholeResponse {
    if (error.status === 401) this.headers['WWW-Authenticate'] = 'Bearer';
    if (error.retryAfter !== null) this.headers['Retry-After'] = String(error.retryAfter);
    return this.answer(error.status, this.errorBody(error, this.requestId));
  }
}
