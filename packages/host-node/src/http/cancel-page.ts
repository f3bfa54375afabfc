import type { RequestHandler } from '@subrail/core';

/** What the page says of the service, and where it is. */
export interface CancelPageOptions {
  /** The path under which every route is served; empty for none. */
  readonly basePath: string;
  /** The address at which clients reach the service. */
  readonly publicUrl: string;
  readonly serviceName: string;
}

/**
 * Answers the service's own address with a page that says how to cancel, and every other path with `handle`. The terms
 * that a wallet signs name that address when the project has no `cancel_url` (terms#lines-of-the-terms).
 */
export function withCancelPage(handle: RequestHandler, options: CancelPageOptions): RequestHandler {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
  const body = pageOf(options);
  const paths = [options.basePath, `${options.basePath}/`];
  return async (request) =>
    ['GET', 'HEAD'].includes(request.method) && paths.includes(request.path)
      ? { status: 200, headers, body }
      : handle(request);
}

function pageOf({ publicUrl, serviceName }: CancelPageOptions): string {
  return `${serviceName} charges subscriptions that wallets signed on Solana.

To cancel a subscription, go to the app where you subscribed. It asks your wallet to sign the cancellation.
If that app is gone, revoke in your wallet the approval of the token that you pay with. No subscription in that token can be
charged then.

For developers: the terms name this address when a project has no cancel_url. Give yours the page on which customers cancel. This
answers the cancellation for the wallet to sign:

  curl -s -X POST -H 'Authorization: Bearer <API key>' '${publicUrl}/v1/subscriptions/<id>/cancel'
`;
}
