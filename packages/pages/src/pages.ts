import type { HandlerRequest, HandlerResponse, RequestHandler } from '@subrail/core';
import { FILES, VERSION } from './bundle.js';
import { cancelHtml } from './cancel-html.js';
import { customerHtml } from './customer-html.js';
import { answerDemoWallet, type DemoWallet } from './demo-wallet.js';
import { pageDocument, type PageFacts } from './document.js';
import { COMMON, pageHeaders } from './headers.js';
import { wantedLanguage } from './texts.js';

/** The facts on the pages, and their place. */
export interface PagesOptions extends PageFacts {
  /** The path under which every route is served; empty for none. */
  readonly basePath: string;
  /** A wallet that the pages offer on a local chain. Default: none. */
  readonly demoWallet?: DemoWallet;
}

/** Whether an agent is Chromium on Android, which opens apps of wallets, and not one within such an app. */
function opensApps(agent: string): boolean {
  const system = agent.indexOf('Android');
  return system !== -1 && agent.includes('Chrome/', system) && !agent.includes('; wv)');
}

const A_YEAR = 'public, max-age=31536000, immutable';

/** A mistyped link too: its page says so. */
const LINK = /^\/checkout\/lnk_[A-Za-z0-9_-]*$/;

/**
 * Answers the paths of the pages, and passes every other one to `handle`, which has to serve the routes of
 * wallets and of customers: `/checkout`, `/checkout/lnk_…` and `/portal` for customers with a session, and
 * `/cancel` for any wallet. The service's own address leads to `/cancel`: signed terms name it when the
 * project has no `cancel_url`.
 *
 * @example
 * import { createRequestHandler } from '@subrail/core';
 *
 * const handle = createRequestHandler(billing, { walletRoutes: true, customerRoutes: true });
 * const paged = withPages(handle, {
 *   basePath: '',
 *   publicUrl: 'https://billing.example',
 *   serviceName: 'Acme Billing',
 *   chain: 'solana:mainnet',
 * });
 */
export function withPages(handle: RequestHandler, options: PagesOptions): RequestHandler {
  const { basePath, serviceName, demoWallet } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const pageAt = (path: string, request: HandlerRequest): HandlerResponse | undefined => {
    const texts = wantedLanguage(request.header('accept-language'));
    // No wallet's app knows a local chain.
    const isPhone = options.chain !== 'solana:localnet' && opensApps(request.header('user-agent') ?? '');
    const page = (name: 'checkout' | 'portal', service: string, content: string): HandlerResponse => ({
      status: 200,
      headers: {
        // On a phone a page also talks to the app of a wallet there (cancel-page#where-a-wallet-cancels).
        ...pageHeaders(isPhone ? ' ws://localhost:*' : ''),
        Vary: 'Accept-Language, User-Agent',
      },
      // The version is in the address, so that a browser never has the files of another release.
      body: pageDocument({
        ...options,
        language: texts.language,
        title: texts[name],
        service,
        content: `    <main>\n${content}\n    </main>`,
        scripts: [
          ...(demoWallet === undefined ? [] : ['demo-wallet']),
          ...(isPhone ? ['wallet-app'] : []),
          name,
        ].map((script) => `${service}/pages/${script}.js?${VERSION}`),
        style: `${service}/pages/style.css?${VERSION}`,
      }),
    });
    const ofCustomer = (name: 'checkout' | 'portal', service = '.') =>
      page(name, service, customerHtml(name, options, texts));
    if (LINK.test(path)) return ofCustomer('checkout', '..');
    if (path === '/checkout') return ofCustomer('checkout');
    if (path === '/portal') return ofCustomer('portal');
    return path === '/cancel' ? page('portal', '.', cancelHtml({ ...options, publicUrl }, texts)) : undefined;
  };
  const leadTo = (path: string, sentence: string): HandlerResponse => ({
    status: 302,
    headers: { ...COMMON, Location: `${publicUrl}${path}`, 'Content-Type': 'text/plain; charset=utf-8' },
    body: `${sentence}: ${publicUrl}${path}\n`,
  });
  const toCancel = leadTo(
    '/cancel',
    `${serviceName} charges subscriptions that wallets signed on Solana. To cancel one`,
  );
  const answers = new Map<string, HandlerResponse>([
    ['', toCancel],
    ['/', toCancel],
    ['/cancel/', toCancel],
    ...Object.entries(FILES).map(([name, { type, text }]): [string, HandlerResponse] => [
      `/pages/${name}`,
      {
        status: 200,
        headers: { ...COMMON, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': A_YEAR },
        body: text,
      },
    ]),
  ]);
  return async (request) => {
    if (!request.path.startsWith(basePath)) return handle(request);
    const path = request.path.slice(basePath.length);
    const signed = demoWallet === undefined ? null : await answerDemoWallet(demoWallet, request, path);
    if (signed !== null) return signed;
    const answer = isRead(request) ? (answers.get(path) ?? pageAt(path, request)) : undefined;
    if (answer === undefined) return handle(request);
    return request.method === 'HEAD' ? { ...answer, body: '' } : answer;
  };
}

function isRead({ method }: HandlerRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
