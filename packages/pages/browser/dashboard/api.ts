import { SERVICE } from './service.js';

/** What a call was refused with: the sentences of the route, and its code. */
export class CallError extends Error {
  override name = 'CallError';

  constructor(
    readonly code: string,
    readonly sentences: readonly string[],
    /** After how many seconds the call may be repeated; null when nothing says so. */
    readonly retryAfter: number | null = null,
  ) {
    super(sentences.join(' '));
  }
}

/** The values of a query; those that are null or empty are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** How many calls that change something run, and who is told when that changes. */
let running = 0;
let tell = (_: number) => {};

/** Says from now on how many calls that change something run. */
export function watchActions(told: (count: number) => void): void {
  tell = told;
}

/** Calls of the pages' server, with the log-in of the browser. */
async function call<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  if (method === 'GET') return answerOf<Answer>(method, path, body);
  tell((running += 1));
  return answerOf<Answer>(method, path, body).finally(() => tell((running -= 1)));
}

async function answerOf<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${SERVICE}dashboard/${path}`, {
    method,
    credentials: 'same-origin',
    headers: {
      'X-Subrail-Dashboard': '1',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (response === null) throw new CallError('no_answer', []);
  const text = await response.text();
  const answer = parsed(text);
  if (response.ok) return answer as Answer;
  const { code, message } = (answer ?? {}) as { code?: string; message?: string | readonly string[] };
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  throw new CallError(
    code ?? 'unavailable',
    message === undefined ? [] : [message].flat(),
    Number.isFinite(seconds) ? seconds : null,
  );
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const asked = (query: Query) => {
  const values = Object.entries(query).flatMap(([name, value]) =>
    value == null || value === '' ? [] : [[name, String(value)]],
  );
  return values.length === 0 ? '' : `?${new URLSearchParams(values).toString()}`;
};

/** Who is logged in. */
export interface Session {
  readonly name: string;
  readonly access: 'read' | 'write';
  readonly until: string;
  /** The time by the clock of the service, which may be moved. */
  readonly now: string;
}

/** By how much the clock of the service is ahead of the browser's. */
let aheadMs = 0;

/** The time by the clock of the service. */
export const serviceNow = (): number => Date.now() + aheadMs;

async function callSession(path: string, body?: object): Promise<Session> {
  const session = await call<Session>('POST', path, body);
  aheadMs = Date.parse(session.now) - Date.now();
  return session;
}

export const logIn = (proof: { readonly key: string } | { readonly ticket: string }) =>
  callSession('log-in', proof);
export const logOut = () => call<object>('POST', 'log-out');
/** Reads who is logged in, which renews the log-in. */
export const readSession = () => callSession('session');

/** The routes of management below `/manage/v1/`. */
export const get = <Answer>(path: string, query: Query = {}) =>
  call<Answer>('GET', `api/${path}${asked(query)}`);
/** The address of a file below `/manage/v1/`. */
export const fileAddress = (path: string, query: Query): string =>
  `${SERVICE}dashboard/api/${path}${asked(query)}`;
export const post = <Answer>(path: string, body?: object) => call<Answer>('POST', `api/${path}`, body);

/** The routes of one project. */
export interface ProjectRoutes {
  get<Answer>(path: string, query?: Query): Promise<Answer>;
  post<Answer>(path: string, body?: object): Promise<Answer>;
}

export const routesOf = (project: string): ProjectRoutes => ({
  get: (path, query) => get(`projects/${project}/${path}`, query),
  post: (path, body) => post(`projects/${project}/${path}`, body),
});

/** Something wrong on the service's own side. */
interface Alert {
  readonly kind: string;
  readonly severity: 'warning' | 'error';
  readonly since: string;
  readonly count: number;
  /** What is wrong, and what to do about it. */
  readonly what: string;
}

/** The body of `/health`. */
export interface Health {
  readonly version?: string;
  readonly store: string;
  readonly chain: {
    readonly state: string;
    readonly lag_seconds: number | null;
    readonly servers: readonly string[];
    readonly host_clock: string;
  };
  readonly charger: string;
  readonly charger_account: {
    readonly address: string;
    readonly balance_lamports: string | null;
    readonly charges: string | null;
    readonly read_at: string | null;
  };
  readonly sealing_key: string;
  readonly worker: Readonly<Record<string, { readonly state: string; readonly last_ok_at: string | null }>>;
  readonly backlog: {
    readonly wakes: number;
    readonly charges: number;
    readonly deliveries: number;
    readonly charges_overdue_seconds: number;
    readonly deliveries_overdue_seconds: number;
  } | null;
  readonly alerts: readonly Alert[];
}

/** Reads the health of the host, which needs no key and has a body also when something is unavailable. */
export async function readHealth(): Promise<Health> {
  const response = await fetch(`${SERVICE}health`).catch(() => null);
  const health = response === null ? undefined : parsed(await response.text());
  if (typeof health === 'object' && health !== null && 'worker' in health) return health as Health;
  throw new CallError(response === null ? 'no_answer' : 'unavailable', []);
}
