import type { HttpOutcome, HttpPost, HttpSender } from '../ports/http-sender.js';
import { expectEqual, expectThat } from './expect.js';
import { promiseTest } from './promise-test.js';
import type { TestFunction } from './test-function.js';

/** The behaviour of a fake endpoint at every request. */
export type FakeResponse =
  /** Sends this response. */
  | {
      readonly kind: 'answers';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  /** Sends this status after this time, in milliseconds. */
  | { readonly kind: 'late'; readonly status: number; readonly afterMs: number }
  /** Accepts the request and never responds. */
  | { readonly kind: 'silent' }
  /** Sends this status and the start of a body of `x`, and keeps the connection open. */
  | { readonly kind: 'stalls'; readonly status: number }
  /** Sends this status and then a body of `x`, letter by letter, that never ends. */
  | { readonly kind: 'trickles'; readonly status: number }
  /** Sends this status and then a body of `x` that never ends. */
  | { readonly kind: 'endless'; readonly status: number }
  /** Sends a status line and then a header, letter by letter, that never ends. */
  | { readonly kind: 'drips' }
  /** Sends this status and the start of a body of `x`, and cuts the connection before the body's end. */
  | { readonly kind: 'breaks_off'; readonly status: number }
  /** Sends a line that is not HTTP. */
  | { readonly kind: 'garbage' }
  /** Closes the connection without a response. */
  | { readonly kind: 'hangs_up' }
  /** Resets the connection without a response. */
  | { readonly kind: 'resets' };

/** A request as the fake endpoint received it. Header names are lowercase. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The parts that the author of an `HttpSender` provides for each test: a real server on this machine, and the
 * sender in two settings. The repository of Subrail has such a server for Node to copy:
 * `packages/adapters/src/node/http-sender/tests/misbehaving-endpoint.ts`.
 */
export interface HttpSenderUnderTest {
  /** A sender that is allowed to reach this machine over plain http. */
  readonly sender: HttpSender;
  /** A sender with the settings of production. */
  readonly strict: HttpSender;
  /** The server's base address, `http://127.0.0.1:<port>`, without TLS. */
  readonly url: string;
  /** Every request that the server received so far. */
  readonly requests: readonly FakeRequest[];
  /** An address on this machine where nothing listens. */
  readonly deadUrl: string;
  /** Stops the server. Called at the end of each test. */
  close(): Promise<void>;
}

const LONG_TIMEOUT_MS = 20_000;
const SHORT_TIMEOUT_MS = 500;
/** Long enough for the beginning of an answer to arrive on a busy machine. */
const STALLED_TIMEOUT_MS = 1_500;

/** Hosts to which a sender in production never connects, whatever listens there. */
const PRIVATE_HOSTS = [
  '127.0.0.1 127.1 2130706433 0x7f.0.0.1 localhost 0.0.0.0 10.1.2.3 100.64.0.1 169.254.169.254',
  '172.16.0.1 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 [::] [::1] [::ffff:127.0.0.1]',
  '[::ffff:a01:203] [64:ff9b::7f00:1] [fc00::1] [fe80::1] [ff02::1]',
].flatMap((hosts) => hosts.split(' '));

const FAILED = { kind: 'failed' } as const;
const TIMED_OUT = { kind: 'timed_out' } as const;
const answers = (
  status: number,
  rest: Omit<Extract<FakeResponse, { readonly kind: 'answers' }>, 'kind' | 'status'> = {},
) => ({ kind: 'answers', status, ...rest }) as const;
const answered = (
  status: number,
  rest: { readonly retryAfter?: number | null; readonly excerpt?: string } = {},
) => ({ kind: 'answered', status, ...rest }) as const;

/** The outcome of each response, with a timeout of its own when the default would take too long. */
const OUTCOMES: readonly (readonly [string, FakeResponse, Partial<HttpOutcome>, number?])[] = [
  ...[200, 204, 301, 302, 307, 308, 400, 410, 429, 500, 503].map(
    (status) =>
      [
        `returns status ${status}, and follows no redirect`,
        answers(status, { headers: { location: '/elsewhere' } }),
        answered(status),
      ] as const,
  ),
  [
    'returns the start of the response as the excerpt',
    answers(500, { body: 'out of ☕' }),
    answered(500, { excerpt: 'out of ☕' }),
  ],
  ...[410, 429].map(
    (status) =>
      [
        `returns Retry-After of status ${status} too`,
        answers(status, { headers: { 'retry-after': '120' } }),
        answered(status, { retryAfter: 120 }),
      ] as const,
  ),
  ...(
    [
      ['120', 120],
      ['0', 0],
      ['soon', null],
      ['-5', null],
    ] as const
  ).map(
    ([value, retryAfter]) =>
      [
        `returns Retry-After "${value}" as ${retryAfter}`,
        answers(503, { headers: { 'retry-after': value } }),
        answered(503, { retryAfter }),
      ] as const,
  ),
  [
    'returns retryAfter null for a response without Retry-After',
    answers(503),
    answered(503, { retryAfter: null }),
  ],
  [
    'reads no more of a response of 5 MB than the excerpt',
    answers(500, { body: 'x'.repeat(5_000_000) }),
    answered(500, { excerpt: 'x'.repeat(1_024) }),
  ],
  [
    'returns a response that comes late, but before the deadline',
    { kind: 'late', status: 202, afterMs: 200 },
    answered(202),
  ],
  ...(['stalls', 'trickles'] as const).map(
    (kind) =>
      [
        `returns the status of a response that ${kind} after it, at the deadline`,
        { kind, status: 202 },
        answered(202),
        STALLED_TIMEOUT_MS,
      ] as const,
  ),
  ['times out when the endpoint does not respond', { kind: 'silent' }, TIMED_OUT, SHORT_TIMEOUT_MS],
  [
    'times out when the headers of the response never end, however often a letter arrives',
    { kind: 'drips' },
    TIMED_OUT,
    SHORT_TIMEOUT_MS,
  ],
  [
    'returns the status of a response whose body breaks off',
    { kind: 'breaks_off', status: 202 },
    answered(202),
  ],
  ['fails when the response is not HTTP', { kind: 'garbage' }, FAILED],
  ['fails when the connection is closed without a response', { kind: 'hangs_up' }, FAILED],
  ['fails when the connection is reset', { kind: 'resets' }, FAILED],
];

/**
 * The conformance kit of the `HttpSender` port: registers one test for each promise. `open` starts a server
 * that responds to every request in the given way, and returns it with the senders to test. The error of a
 * failed test begins with the promise that the sender does not keep.
 *
 * @example
 * httpSenderConformance(test, async (response) => {
 *   const endpoint = await openMisbehavingEndpoint(response);
 *   return { ...endpoint, sender: new MySender({ allowPrivateTargets: true }), strict: new MySender() };
 * });
 */
export function httpSenderConformance(
  test: TestFunction,
  open: (response: FakeResponse) => Promise<HttpSenderUnderTest>,
): void {
  const against = (
    promise: string,
    response: FakeResponse,
    check: (underTest: HttpSenderUnderTest) => Promise<void>,
  ) => promiseTest(test, 'The sender', promise, () => open(response), check);

  against(
    'sends the body byte for byte, with the given headers',
    { kind: 'answers', status: 200 },
    async ({ sender, url, requests }) => {
      const body = '{"name":"Zoë ☕ \\u0000 𝄞"}';
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Subrail/1',
        'x-one': '1',
      };
      await sender.post({ url: `${url}/hooks?a=1`, headers, body, timeoutMs: LONG_TIMEOUT_MS });
      const [request] = requests;
      expectThat(request !== undefined && requests.length === 1, 'one request', requests);
      const received = { ...request, headers: { ...request.headers, ...headers } };
      expectEqual(
        received,
        { method: 'POST', path: '/hooks?a=1', headers: request.headers, body },
        'the request',
      );
    },
  );

  for (const [promise, response, expected, timeoutMs] of OUTCOMES)
    against(promise, response, async ({ sender, url, requests }) => {
      expectOutcome(await sender.post({ ...requestTo(url), ...(timeoutMs && { timeoutMs }) }), expected);
      expectThat(requests.length <= 1, 'no second request', requests);
    });

  against(
    'reads no more of an endless response than the excerpt',
    { kind: 'endless', status: 200 },
    async ({ sender, url }) => {
      const outcome = await sender.post(requestTo(url));
      expectThat(outcome.kind === 'answered' && outcome.status === 200, 'status 200', outcome);
      const { length } = outcome.excerpt;
      expectThat(length > 0 && length <= 1_024, 'an excerpt of 1 to 1,024 characters', length);
    },
  );

  against(
    'fails over https when the server does not speak TLS, and sends nothing in plain text',
    { kind: 'answers', status: 200 },
    async ({ sender, url, requests }) => {
      expectOutcome(await sender.post(requestTo(url.replace('http:', 'https:'))), FAILED);
      expectThat(requests.length === 0, 'no request', requests);
    },
  );

  against(
    'fails when nothing listens at the address',
    { kind: 'answers', status: 200 },
    async ({ sender, deadUrl }) => expectOutcome(await sender.post(requestTo(deadUrl)), FAILED),
  );

  against(
    'returns an outcome for a request that cannot be sent, and does not throw',
    { kind: 'answers', status: 200 },
    async ({ sender, strict, url, requests }) => {
      for (const wrong of ['', 'nonsense', 'ftp://example.com/', 'file:///etc/hosts']) {
        for (const tested of [sender, strict]) {
          const outcome = await tested.post(requestTo(wrong));
          expectThat(outcome.kind === 'refused', `"${wrong}" to be refused`, outcome);
        }
      }
      const outcome = await sender.post({ ...requestTo(url), headers: { 'x-bad': 'a\r\nx-smuggled: 1' } });
      expectThat(outcome.kind !== 'answered', 'a header with a line break not to be sent', outcome);
      expectThat(requests.length === 0, 'no request', requests);
    },
  );

  against(
    'in production connects to no private address, and sends nothing without TLS',
    { kind: 'answers', status: 200 },
    async ({ strict, url, requests }) => {
      const { port } = new URL(url);
      const targets = PRIVATE_HOSTS.map((host) => `https://${host}:${port}/`);
      for (const target of [url, `http://localhost:${port}/`, 'http://example.com/', ...targets]) {
        const outcome = await strict.post(requestTo(target));
        expectThat(outcome.kind === 'refused', `${target} to be refused`, outcome);
      }
      expectThat(requests.length === 0, 'no request', requests);
    },
  );

  against(
    'sends many requests at once without mixing them up',
    { kind: 'answers', status: 200 },
    async ({ sender, url, requests }) => {
      const bodies = Array.from({ length: 50 }, (_, index) => `body ${index}`);
      const outcomes = await Promise.all(bodies.map((body) => sender.post({ ...requestTo(url), body })));
      const unanswered = outcomes.filter((outcome) => outcome.kind !== 'answered');
      expectThat(unanswered.length === 0, 'every request to be answered', unanswered);
      const arrived = new Set(requests.map(({ body }) => body)).size;
      expectThat(arrived === bodies.length, `${bodies.length} different bodies to arrive`, arrived);
    },
  );
}

function requestTo(url: string): HttpPost {
  return { url, headers: { 'content-type': 'text/plain' }, body: 'hello', timeoutMs: LONG_TIMEOUT_MS };
}

/** Fails unless an outcome has these fields, and a reason when it is `failed`. */
function expectOutcome(outcome: HttpOutcome, expected: Partial<HttpOutcome>): void {
  expectEqual(outcome, { ...outcome, ...expected }, 'the outcome');
  expectThat(outcome.kind !== 'failed' || outcome.reason !== '', 'a reason of the failure', outcome);
}
