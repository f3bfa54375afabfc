import {
  atFirstRequest,
  createFetchHandler,
  createRequestHandler,
  type FetchHandler,
  type HandlerOptions,
  type Openable,
  type Served,
} from '@subrail/core';
import { withDashboard } from './dashboard/with-dashboard.js';
import { withPages, type PagesOptions } from './pages.js';

/** How the pages are mounted. */
export type CreatePagesOptions = Pick<HandlerOptions, 'basePath' | 'clientAddress' | 'health'> & {
  /** The name of the chain in the Wallet Standard. Default: that of the network. */
  readonly chain?: PagesOptions['chain'];
  /** Whether the dashboard is served at `/dashboard`, to whoever has a management key. Default: false. */
  readonly dashboard?: boolean;
};

/**
 * Serves the pages and everything that they call, with all that `createHandler` serves, to anything that
 * speaks fetch. Never rejects, unless an `Opener` without `failurePorts` does. The addresses of sessions and
 * links begin with the setting `publicUrl`, which has to lead here.
 *
 * @example
 * const pages = createPages(billing, { basePath: '/billing' });
 * const response = await pages(request);
 */
export function createPages(
  billing: Openable<Served>,
  { chain, clientAddress, dashboard = false, ...options }: CreatePagesOptions = {},
): FetchHandler {
  return atFirstRequest(billing, (opened) => {
    const {
      settings,
      chain: { network },
    } = opened.service;
    const handle = createRequestHandler(opened, { ...options, walletRoutes: true, customerRoutes: true });
    const page: PagesOptions = {
      basePath: options.basePath ?? '',
      publicUrl: settings.publicUrl,
      serviceName: settings.serviceName,
      chain: chain ?? (network === 'mainnet-beta' ? 'solana:mainnet' : 'solana:devnet'),
    };
    const paged = withPages(handle, page);
    return createFetchHandler(
      dashboard ? withDashboard(paged, { ...page, service: opened.service }) : paged,
      clientAddress,
    );
  });
}
