import type { HttpOutcome, HttpPost, HttpSender } from '../ports/http-sender.js';
import { expectThat } from './expect-that.js';
import { promiseTest } from './promise-test.js';
import type { TestFunction } from './test-function.js';

/** What a fake endpoint does with every request. */
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
  /** Sends this status and the start of a body of `x`, and then leaves the connection open without sending more. */
  | { readonly kind: 'stalls'; readonly status: number }
  /** Sends this status and then a body of `x`, letter by letter, that never ends. */
  | { readonly kind: 'trickles'; readonly status: number }
  /** Sends this status and then a body of `x` that never ends. */
  | { readonly kind: 'endless'; readonly status: number }
  /** Sends a status line and then a header, letter by letter, that never ends. */
  | { readonly kind: 'drips' }
  /** Sends this status and the start of a body of `x`, and then cuts the connection before the body's length is reached. */
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
 * What the author of an `HttpSender` provides for each test: a real server on this machine, and the sender in two
 * settings. For Node there is such a server to copy in the repository of Subrail:
 * `packages/adapters/src/node/http-sender/tests/misbehaving-endpoint.ts`.
 */
export interface HttpSenderUnderTest {
  /** A sender that is allowed to reach this machine over plain http. */
  readonly sender: HttpSender;
  /** A sender with the settings of production. */
  readonly strict: HttpSender;
  /** The server's base address, `http://127.0.0.1:<port>`. It does not speak TLS. */
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

/** Targets to which a sender in production never connects, whatever listens there. */
const PRIVATE_TARGETS = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://localhost/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a01:203]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fc00::1]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
];

/**
 * The conformance kit of the `HttpSender` port: registers one test for each promise. `open` starts a server that
 * responds to every request in the given way, and returns it with the senders to test.
 *
 * The error of a test that fails begins with the promise that the sender does not keep.
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
      expectThat(request.method === 'POST' && request.path === '/hooks?a=1', 'a POST to /hooks?a=1', request);
      expectThat(request.body === body, `the body ${body}`, request.body);
      for (const [name, value] of Object.entries(headers)) {
        expectThat(request.headers[name] === value, `header ${name} to be ${value}`, request.headers[name]);
      }
    },
  );

  for (const status of [200, 204, 301, 302, 307, 308, 400, 410, 429, 500, 503]) {
    against(
      `returns status ${status}, and follows no redirect`,
      { kind: 'answers', status, headers: { location: '/elsewhere' } },
      async ({ sender, url, requests }) => {
        const outcome = await sender.post(requestTo(url));
        expectThat(outcome.kind === 'answered' && outcome.status === status, `status ${status}`, outcome);
        expectThat(requests.length === 1, 'one request', requests);
      },
    );
  }

  against(
    'returns the start of the response as the excerpt',
    { kind: 'answers', status: 500, body: 'out of ☕' },
    async ({ sender, url }) => {
      const outcome = await sender.post(requestTo(url));
      expectThat(
        outcome.kind === 'answered' && outcome.excerpt === 'out of ☕',
        'the excerpt "out of ☕"',
        outcome,
      );
    },
  );

  for (const status of [410, 429]) {
    against(
      `returns Retry-After of status ${status} too`,
      { kind: 'answers', status, headers: { 'retry-after': '120' } },
      async ({ sender, url }) => {
        const outcome = await sender.post(requestTo(url));
        expectThat(
          outcome.kind === 'answered' && outcome.status === status && outcome.retryAfter === 120,
          `status ${status} and retryAfter 120`,
          outcome,
        );
      },
    );
  }

  for (const [value, seconds] of [
    ['120', 120],
    ['0', 0],
    ['soon', null],
    ['-5', null],
  ] as const) {
    against(
      `returns Retry-After "${value}" as ${seconds}`,
      { kind: 'answers', status: 503, headers: { 'retry-after': value } },
      async ({ sender, url }) => {
        const outcome = await sender.post(requestTo(url));
        expectThat(
          outcome.kind === 'answered' && outcome.retryAfter === seconds,
          `retryAfter ${seconds}`,
          outcome,
        );
      },
    );
  }

  against(
    'returns retryAfter null for a response without Retry-After',
    { kind: 'answers', status: 503 },
    async ({ sender, url }) => {
      const outcome = await sender.post(requestTo(url));
      expectThat(outcome.kind === 'answered' && outcome.retryAfter === null, 'retryAfter null', outcome);
    },
  );

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
    'reads no more of a response of 5 MB than the excerpt',
    { kind: 'answers', status: 500, body: 'x'.repeat(5_000_000) },
    async ({ sender, url }) => {
      const outcome = await sender.post(requestTo(url));
      expectThat(
        outcome.kind === 'answered' && outcome.status === 500 && outcome.excerpt.length === 1_024,
        'status 500 and an excerpt of 1,024 characters',
        outcome,
      );
    },
  );

  against(
    'returns a response that comes late, but before the deadline',
    { kind: 'late', status: 202, afterMs: 200 },
    async ({ sender, url }) => {
      const outcome = await sender.post(requestTo(url));
      expectThat(outcome.kind === 'answered' && outcome.status === 202, 'status 202', outcome);
    },
  );

  for (const kind of ['stalls', 'trickles'] as const) {
    against(
      `returns the status of a response that ${kind} after it, at the deadline`,
      { kind, status: 202 },
      async ({ sender, url }) => {
        const outcome = await sender.post({ ...requestTo(url), timeoutMs: STALLED_TIMEOUT_MS });
        expectThat(outcome.kind === 'answered' && outcome.status === 202, 'status 202', outcome);
      },
    );
  }

  against('times out when the endpoint does not respond', { kind: 'silent' }, async ({ sender, url }) => {
    const outcome = await sender.post({ ...requestTo(url), timeoutMs: SHORT_TIMEOUT_MS });
    expectThat(outcome.kind === 'timed_out', 'timed_out', outcome);
  });

  against(
    'times out when the headers of the response never end, however often a letter arrives',
    { kind: 'drips' },
    async ({ sender, url }) => {
      const outcome = await sender.post({ ...requestTo(url), timeoutMs: SHORT_TIMEOUT_MS });
      expectThat(outcome.kind === 'timed_out', 'timed_out', outcome);
    },
  );

  against(
    'returns the status of a response whose body breaks off',
    { kind: 'breaks_off', status: 202 },
    async ({ sender, url }) => {
      const outcome = await sender.post(requestTo(url));
      expectThat(outcome.kind === 'answered' && outcome.status === 202, 'status 202', outcome);
    },
  );

  against('fails when the response is not HTTP', { kind: 'garbage' }, async ({ sender, url }) => {
    expectFailed(await sender.post(requestTo(url)));
  });

  against(
    'fails over https when the server does not speak TLS, and sends nothing in plain text',
    { kind: 'answers', status: 200 },
    async ({ sender, url, requests }) => {
      expectFailed(await sender.post(requestTo(url.replace('http:', 'https:'))));
      expectThat(requests.length === 0, 'no request', requests);
    },
  );

  against(
    'fails when the connection is closed without a response',
    { kind: 'hangs_up' },
    async ({ sender, url }) => {
      expectFailed(await sender.post(requestTo(url)));
    },
  );

  against('fails when the connection is reset', { kind: 'resets' }, async ({ sender, url }) => {
    expectFailed(await sender.post(requestTo(url)));
  });

  against(
    'fails when nothing listens at the address',
    { kind: 'answers', status: 200 },
    async ({ sender, deadUrl }) => {
      expectFailed(await sender.post(requestTo(deadUrl)));
    },
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
      for (const target of [url, `http://localhost:${port}/`, 'http://example.com/', ...PRIVATE_TARGETS]) {
        const withPort = target.startsWith('https')
          ? target.replace(/^(https:..[^/]+)/, `$1:${port}`)
          : target;
        const outcome = await strict.post(requestTo(withPort));
        expectThat(outcome.kind === 'refused', `${withPort} to be refused`, outcome);
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

function expectFailed(outcome: HttpOutcome): void {
  expectThat(outcome.kind === 'failed' && outcome.reason !== '', 'failed, with a reason', outcome);
}
