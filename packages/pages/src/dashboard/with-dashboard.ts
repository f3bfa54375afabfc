import {
  createRefuse,
  isServiceError,
  type ErrorCode,
  type HandlerRequest,
  type HandlerResponse,
  type RequestHandler,
  type Served,
} from '@subrail/core';
import { VERSION, type FILES } from '../bundle.js';
import { pageDocument } from '../document.js';
import { COMMON, pageHeaders } from '../headers.js';
import type { PagesOptions } from '../pages.js';
import { readBody } from '../read-body.js';
import { createLogIns, type LogIn } from './log-in.js';

/** What a dashboard shows, where it is, and whom it lets in. */
export interface DashboardOptions extends PagesOptions {
  /** The ports that seal log-ins, date them and know the keys. */
  readonly service: Pick<Served['service'], 'clock' | 'crypto' | 'random' | 'store' | 'wallClock'>;
  /** Exchanges a ticket, which works once, for a management key; null for any other. Default: no tickets. */
  readonly redeem?: (ticket: string) => Promise<string | null>;
}

const PATH = '/dashboard';
const API = `${PATH}/api/`;

/** The header of every call of the page, which no other origin sends without asking: it gets no answer. */
const HEADER = 'x-subrail-dashboard';

/** The files of lists, which a browser saves itself: no script adds a header to that. */
const FILE = /^\/dashboard\/api\/projects\/[^/]+\/(?:[a-z-]+\/)+export$/;

const MOST_LOG_IN_BYTES = 1_000;

const NO_KEY_YET =
  'No management key exists, so nobody can log in. Make one with "subrail key create --management --name dashboard --access write".';

/**
 * Serves the dashboard at `/dashboard`, and passes every other path to `handle`, which has to serve the
 * routes of management. A log-in is a management key in a sealed cookie: it calls what the key may, and no
 * more.
 */
export function withDashboard(handle: RequestHandler, options: DashboardOptions): RequestHandler {
  const { basePath, service, redeem = () => Promise.resolve(null) } = options;
  const refuse = createRefuse(service.random, { basePath });
  const logIns = createLogIns(service);
  const document = page(options);

  /** The key with this text, for what the page says of it; null when it opens nothing. */
  const keyOf = async (text: string) => service.store.findManagementKey(await service.crypto.digest(text));

  const forward = (request: HandlerRequest, key: string, path: string) =>
    handle({
      method: request.method,
      path: `${basePath}/manage/v1/${path}`,
      search: request.search,
      ip: request.ip,
      body: request.body,
      header: (name) => {
        if (name === 'authorization') return `Bearer ${key}`;
        return name === 'cookie' ? null : request.header(name);
      },
    });

  async function loggedIn(request: HandlerRequest, logIn: LogIn): Promise<HandlerResponse> {
    const key = await keyOf(logIn.key);
    if (key === null) return refuse(request, 'invalid_api_key');
    const { name, access } = key;
    const now = service.clock.now().toISOString();
    const answer = { name, access, until: new Date(logIn.until).toISOString(), now };
    return json(answer, { 'Set-Cookie': await logIns.cookie(logIn, isSecure(request)) });
  }

  /** The call that the key answers counts a wrong one against the address (requests#anonymous-rate-limit). */
  async function begin(request: HandlerRequest): Promise<HandlerResponse> {
    const body = await readBody(request, MOST_LOG_IN_BYTES);
    const { key: typed, ticket } = body ?? {};
    const key =
      typeof ticket === 'string' ? await redeem(ticket) : typeof typed === 'string' ? typed.trim() : '';
    if (key === null)
      return refuse(
        request,
        'invalid_api_key',
        'This address was used already, or is of an earlier start. Start the service again, or log in with a management key.',
      );
    const tried = await forward(asRead(request), key, 'projects');
    if (tried.status === 404) return refuse(request, 'not_found', NO_KEY_YET);
    return tried.status === 200 ? loggedIn(request, logIns.begin(key)) : tried;
  }

  async function call(request: HandlerRequest, path: string): Promise<HandlerResponse> {
    const fault = strangeness(request, request.method === 'GET' && FILE.test(path));
    if (fault !== null) return refuse(request, 'forbidden', fault);
    const { method } = request;
    if (path === `${PATH}/log-in` && method === 'POST') return begin(request);
    if (path === `${PATH}/log-out` && method === 'POST')
      return json({}, { 'Set-Cookie': await logIns.cookie(null, isSecure(request)) });
    const logIn = await logIns.read(request.header('cookie'));
    if (logIn === null)
      return refuse(request, 'missing_api_key', 'You are not logged in any more. Log in again.');
    if (path === `${PATH}/session` && method === 'POST')
      return loggedIn(request, logIns.begin(logIn.key, logIn.since));
    if (!path.startsWith(API)) return refuse(request, 'not_found');
    // Without it, management may be off: its paths answer as paths that do not exist.
    if ((await keyOf(logIn.key)) === null) return refuse(request, 'invalid_api_key');
    const response = await forward(request, logIn.key, path.slice(API.length));
    return { ...response, headers: { ...response.headers, ...PRIVATE } };
  }

  return async (request) => {
    if (!request.path.startsWith(`${basePath}${PATH}`)) return handle(request);
    const path = request.path.slice(basePath.length);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && path === PATH) return request.method === 'HEAD' ? { ...document, body: '' } : document;
    if (isRead && path === `${PATH}/`)
      return { status: 302, headers: { ...COMMON, Location: '../dashboard' }, body: '' };
    if (!path.startsWith(`${PATH}/`)) return handle(request);
    try {
      return await call(request, path);
    } catch (error) {
      const code: ErrorCode = isServiceError(error) ? error.code : 'unavailable';
      return refuse(request, code);
    }
  };
}

/** A request for what is to be read alone. */
const asRead = (request: HandlerRequest): HandlerRequest => ({
  method: 'GET',
  path: request.path,
  search: '',
  ip: request.ip,
  body: (async function* () {})(),
  header: (name) => (name.startsWith('content-') ? null : request.header(name)),
});

const PRIVATE = { ...COMMON, 'Cache-Control': 'no-store' };

function json(body: object, headers: Readonly<Record<string, string>>): HandlerResponse {
  return {
    status: 200,
    headers: { ...PRIVATE, ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/**
 * Why a call is not the page's own; null when it is. A file is one by `Sec-Fetch-Site` alone, which no script
 * sets and no other origin has as `same-origin` (dashboard#calls-of-the-page).
 */
function strangeness(request: HandlerRequest, isFile: boolean): string | null {
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  const isOther =
    site === null
      ? origin !== null && hostOf(origin) !== (request.header('x-forwarded-host') ?? request.header('host'))
      : site !== 'same-origin';
  if (isOther)
    return 'Only the page of the dashboard may call this. Programs call /manage/v1 with a management key.';
  if (request.header(HEADER) !== null || (isFile && site !== null)) return null;
  return `The header ${HEADER} is missing. Programs call /manage/v1 with a management key.`;
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);

/** Whether the browser, which names its origin in every POST, is on https. */
const isSecure = (request: HandlerRequest) => request.header('origin')?.startsWith('https:') === true;

function page(options: DashboardOptions): HandlerResponse {
  const file = (name: keyof typeof FILES) => `./pages/${name}?${VERSION}`;
  return {
    status: 200,
    headers: pageHeaders(),
    body: pageDocument({
      ...options,
      language: 'en',
      title: 'Dashboard',
      service: '.',
      scripts: [...(options.demoWallet === undefined ? [] : [file('demo-wallet.js')]), file('dashboard.js')],
      style: file('dashboard.css'),
      content: `    <div id="dashboard"></div>
    <noscript>
      <main class="gate">
        <h1>Dashboard</h1>
        <p>This page works with JavaScript, which is switched off in this browser. Switch it on and reload the page, or use the command <code>subrail</code>.</p>
      </main>
    </noscript>`,
    }),
  };
}
