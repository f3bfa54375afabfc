import type { HttpOutcome, HttpPost, HttpSender } from '../ports/http-sender.js';
import { must, type TestFunction } from './conformance.js';

/** How a fake endpoint treats every request it gets. */
export type FakeAnswer =
  | {
      readonly kind: 'answers';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Takes the request and says nothing. */
  | { readonly kind: 'silent' }
  /** Sends this status and the start of a body of `x`, then nothing more, without an end. */
  | { readonly kind: 'stalls'; readonly status: number }
  /** Sends this status and then a body of `x` for as long as the other side reads. */
  | { readonly kind: 'endless'; readonly status: number }
  /** Closes the connection without an answer. */
  | { readonly kind: 'hangs_up' };

/** A request as a fake endpoint got it; header names in lowercase. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an adapter's author provides: a real server on this machine, and the sender in both of its settings. */
export interface HttpSenderBench {
  /** A sender that may reach this machine over plain http. */
  readonly sender: HttpSender;
  /** A sender as in production. */
  readonly strict: HttpSender;
  /** The server's base address, `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** An address on this machine where nothing listens. */
  readonly deadUrl: string;
  close(): Promise<void>;
}

const LONG = 20_000;
const SHORT = 100;

/** Targets a sender in production never connects to, whatever listens there. */
const INSIDE = [
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

/** What every HttpSender promises. `open` starts a server that treats each request alike. */
export function httpSenderConformance(
  test: TestFunction,
  open: (answer: FakeAnswer) => Promise<HttpSenderBench>,
): void {
  const against = (name: string, answer: FakeAnswer, body: (bench: HttpSenderBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await open(answer);
      try {
        await body(bench);
      } finally {
        await bench.close();
      }
    });

  against(
    'the body arrives byte for byte, with exactly the headers given',
    { kind: 'answers', status: 200 },
    async ({ sender, url, requests }) => {
      const body = '{"name":"Zoë ☕ \\u0000 𝄞"}';
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Subrail/1',
        'x-one': '1',
      };
      await sender.post({ url: `${url}/hooks?a=1`, headers, body, timeoutMs: LONG });
      const [request] = requests;
      must(request !== undefined && requests.length === 1, 'one request is made');
      must(request.method === 'POST' && request.path === '/hooks?a=1', 'it is a POST to the address given');
      must(request.body === body, 'the body is the one given');
      for (const [name, value] of Object.entries(headers)) {
        must(request.headers[name] === value, `header ${name} is sent as given`);
      }
    },
  );

  for (const status of [200, 204, 301, 302, 307, 308, 400, 410, 429, 500, 503]) {
    against(
      `status ${status} is answered as it came, and no redirect is followed`,
      { kind: 'answers', status, headers: { location: '/elsewhere' } },
      async ({ sender, url, requests }) => {
        const outcome = await sender.post(posted(url));
        must(outcome.kind === 'answered' && outcome.status === status, `${status} is answered`);
        must(requests.length === 1, 'there is one request');
      },
    );
  }

  against(
    'the start of the answer is the excerpt',
    { kind: 'answers', status: 500, body: 'out of ☕' },
    async ({ sender, url }) => {
      const outcome = await sender.post(posted(url));
      must(outcome.kind === 'answered' && outcome.excerpt === 'out of ☕', 'the excerpt is the body');
    },
  );

  for (const [value, seconds] of [
    ['120', 120],
    ['0', 0],
    ['soon', null],
    ['-5', null],
  ] as const) {
    against(
      `Retry-After "${value}" is told as ${seconds}`,
      { kind: 'answers', status: 503, headers: { 'retry-after': value } },
      async ({ sender, url }) => {
        const outcome = await sender.post(posted(url));
        must(outcome.kind === 'answered' && outcome.retryAfter === seconds, `"${value}" is ${seconds}`);
      },
    );
  }

  against(
    'an answer without Retry-After has none',
    { kind: 'answers', status: 503 },
    async ({ sender, url }) => {
      const outcome = await sender.post(posted(url));
      must(outcome.kind === 'answered' && outcome.retryAfter === null, 'there is no Retry-After');
    },
  );

  against(
    'of an endless answer no more is read than the excerpt',
    { kind: 'endless', status: 200 },
    async ({ sender, url }) => {
      const outcome = await sender.post(posted(url));
      must(outcome.kind === 'answered' && outcome.status === 200, 'the status counts');
      must(outcome.excerpt.length > 0 && outcome.excerpt.length <= 1_024, 'the excerpt is bounded');
    },
  );

  against(
    'an answer that stalls after its status counts by its status, at the deadline',
    { kind: 'stalls', status: 202 },
    async ({ sender, url }) => {
      const outcome = await sender.post({ ...posted(url), timeoutMs: SHORT });
      must(outcome.kind === 'answered' && outcome.status === 202, 'the status counts');
    },
  );

  against('an endpoint that says nothing times out', { kind: 'silent' }, async ({ sender, url }) => {
    const outcome = await sender.post({ ...posted(url), timeoutMs: SHORT });
    must(outcome.kind === 'timed_out', 'silence is timed_out');
  });

  against(
    'a connection closed without an answer has failed',
    { kind: 'hangs_up' },
    async ({ sender, url }) => {
      must(failed(await sender.post(posted(url))), 'a hang-up is failed, with a reason');
    },
  );

  against(
    'where nothing listens it has failed',
    { kind: 'answers', status: 200 },
    async ({ sender, deadUrl }) => {
      must(failed(await sender.post(posted(deadUrl))), 'no connection is failed, with a reason');
    },
  );

  against(
    'what cannot be sent is a value too',
    { kind: 'answers', status: 200 },
    async ({ sender, strict, url, requests }) => {
      for (const wrong of ['', 'nonsense', 'ftp://example.com/', 'file:///etc/hosts']) {
        must((await sender.post(posted(wrong))).kind === 'refused', `"${wrong}" is refused`);
        must((await strict.post(posted(wrong))).kind === 'refused', `"${wrong}" is refused in production`);
      }
      const outcome = await sender.post({ ...posted(url), headers: { 'x-bad': 'a\r\nx-smuggled: 1' } });
      must(outcome.kind !== 'answered', 'a header cannot hold another one');
      must(requests.length === 0, 'nothing was sent');
    },
  );

  against(
    'in production nothing private is connected to, and nothing is sent without TLS',
    { kind: 'answers', status: 200 },
    async ({ strict, url, requests }) => {
      const { port } = new URL(url);
      for (const target of [url, `http://localhost:${port}/`, 'http://example.com/', ...INSIDE]) {
        const withPort = target.startsWith('https')
          ? target.replace(/^(https:..[^/]+)/, `$1:${port}`)
          : target;
        must((await strict.post(posted(withPort))).kind === 'refused', `${withPort} is refused`);
      }
      must(requests.length === 0, 'nothing was sent');
    },
  );

  against(
    'many posts at once do not disturb each other',
    { kind: 'answers', status: 200 },
    async ({ sender, url, requests }) => {
      const bodies = Array.from({ length: 50 }, (_, index) => `body ${index}`);
      const outcomes = await Promise.all(bodies.map((body) => sender.post({ ...posted(url), body })));
      must(
        outcomes.every((outcome) => outcome.kind === 'answered'),
        'all are answered',
      );
      must(new Set(requests.map(({ body }) => body)).size === bodies.length, 'each body arrived');
    },
  );
}

function posted(url: string): HttpPost {
  return { url, headers: { 'content-type': 'text/plain' }, body: 'hello', timeoutMs: LONG };
}

function failed(outcome: HttpOutcome): boolean {
  return outcome.kind === 'failed' && outcome.reason !== '';
}
