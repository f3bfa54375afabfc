import { createHash } from 'node:crypto';
import type { HandlerRequest, HandlerResponse, RequestHandler } from '@subrail/core';
import { SCRIPT, STYLE } from './cancel-page/bundle.js';
import { cancelPageHtml, type PageFacts } from './cancel-page/html.js';

/** The facts on the page, and its place. */
export interface CancelPageOptions extends PageFacts {
  /** The path under which every route is served; empty for none. */
  readonly basePath: string;
}

/** The page loads only its own files, and shows in no frame (cancel-page#where-a-wallet-cancels). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const COMMON = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };
const A_YEAR = 'public, max-age=31536000, immutable';

/**
 * Answers `/cancel` with the page on which wallets cancel, and passes every other path to `handle`, which has
 * to serve the routes of wallets. The service's own address redirects there: signed terms name it when the
 * project has no `cancel_url`.
 *
 * @example
 * import { createRequestHandler } from '@subrail/core';
 *
 * const handle = createRequestHandler(billing, { walletRoutes: true });
 * const withPage = withCancelPage(handle, {
 *   basePath: '',
 *   publicUrl: 'https://billing.example',
 *   serviceName: 'Acme Billing',
 *   chain: 'solana:mainnet',
 * });
 */
export function withCancelPage(handle: RequestHandler, options: CancelPageOptions): RequestHandler {
  const { basePath, publicUrl, serviceName } = options;
  // The version is in the address, so that a browser never has the files of another release.
  const version = createHash('sha256').update(SCRIPT).update(STYLE).digest('hex').slice(0, 16);
  const files = { script: `cancel/page.js?${version}`, style: `cancel/page.css?${version}` };
  const toPage = {
    status: 302,
    headers: { ...COMMON, Location: `${publicUrl}/cancel`, 'Content-Type': 'text/plain; charset=utf-8' },
    body: `${serviceName} charges subscriptions that wallets signed on Solana. To cancel one: ${publicUrl}/cancel\n`,
  };
  const page = {
    status: 200,
    headers: {
      ...COMMON,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'X-Frame-Options': 'DENY',
      'Cache-Control': 'no-cache',
    },
    body: cancelPageHtml(options, files),
  };
  const file = (type: string, body: string) => ({
    status: 200,
    headers: { ...COMMON, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': A_YEAR },
    body,
  });
  const answers = new Map<string, HandlerResponse>([
    ['', toPage],
    ['/', toPage],
    ['/cancel', page],
    ['/cancel/', toPage],
    ['/cancel/page.js', file('text/javascript', SCRIPT)],
    ['/cancel/page.css', file('text/css', STYLE)],
  ]);
  return async (request) => {
    const isBelow = isRead(request) && request.path.startsWith(basePath);
    const answer = isBelow ? answers.get(request.path.slice(basePath.length)) : undefined;
    if (answer === undefined) return handle(request);
    return request.method === 'HEAD' ? { ...answer, body: '' } : answer;
  };
}

function isRead({ method }: HandlerRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
