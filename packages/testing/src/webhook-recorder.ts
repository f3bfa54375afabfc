import type { Service } from '@subrail/core';
import type { HttpOutcome, HttpPost, HttpSender } from '@subrail/core/ports';
import { verifyWebhook, type WebhookEvent } from '@subrail/core/webhooks';

/** A webhook that the service posted. Its signature was verified with the secret of its endpoint. */
export interface TestWebhook {
  readonly url: string;
  /** The `webhook-id`: the same in every attempt of one delivery. */
  readonly id: string;
  readonly event: WebhookEvent;
  /** The bytes that were signed. */
  readonly body: string;
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The time of posting, by the service's clock. */
  readonly sentAt: Date;
  /** The status of the answer, or `timeout` when there was none. */
  readonly answer: number | 'timeout';
}

/** A failure of webhooks: a status, or no answer in time. */
export type WebhookFailure = number | 'timeout';

/** Receives webhooks in the place of a server: the handler of an app, which takes a fetch Request. */
export type WebhookReceiver = (request: Request) => Response | Promise<Response>;

/** Receives the webhooks of a service instead of the network, verifies and keeps them. */
export interface WebhookRecorder {
  readonly sender: HttpSender;
  /** Every webhook so far, in the order of posting, and within an instant of their events. */
  webhooks(): readonly TestWebhook[];
  /** Answers the next `times` webhooks with a failure. */
  fail(failure: WebhookFailure, times: number): void;
  /** Ends the failures. */
  accept(): void;
}

/**
 * Creates a recorder.
 * @param service the service that posts, read at each post
 * @param receive answers each webhook that is not made to fail; without it they are answered 200
 */
export function createWebhookRecorder(
  service: () => Service,
  receive: WebhookReceiver = () => new Response(),
): WebhookRecorder {
  const posted: TestWebhook[] = [];
  let failures: { readonly failure: WebhookFailure; left: number } | null = null;

  function nextFailure(): WebhookFailure | null {
    if (failures === null || failures.left === 0) return null;
    failures.left -= 1;
    return failures.failure;
  }

  return {
    // Webhooks due together are posted concurrently, so their order means nothing.
    webhooks: () => posted.toSorted(byInstantAndEvent),
    sender: {
      async post(request) {
        const verified = await verify(service(), request);
        const failure = nextFailure();
        const outcome = failure === null ? await received(service(), receive, request) : outcomeOf(failure);
        posted.push({ ...verified, answer: outcome.kind === 'answered' ? outcome.status : 'timeout' });
        return outcome;
      },
    },
    fail(failure, times) {
      failures = { failure, left: times };
    },
    accept() {
      failures = null;
    },
  };
}

function byInstantAndEvent(one: TestWebhook, other: TestWebhook): number {
  return (
    one.sentAt.getTime() - other.sentAt.getTime() ||
    compare(one.event.created_at, other.event.created_at) ||
    compare(one.event.data.id, other.event.data.id) ||
    (one.event.sequence ?? 0) - (other.event.sequence ?? 0)
  );
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** @throws WebhookError when the signature is not valid, which is a fault of the service */
async function verify(
  service: Service,
  { url, headers, body }: HttpPost,
): Promise<Omit<TestWebhook, 'answer'>> {
  const now = service.clock.now();
  const byName = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const secrets = await secretsOf(service, url);
  const { event, webhookId } = await verifyWebhook({ headers: byName, body }, secrets, { now });
  return {
    url,
    body,
    event,
    id: webhookId,
    headers: byName,
    sentAt: now,
  };
}

/** The signing secrets of every endpoint at an address. */
async function secretsOf({ store, crypto }: Service, url: string): Promise<readonly string[]> {
  const projects = await store.listProjects();
  const endpoints = (await Promise.all(projects.map(({ id }) => store.listEndpoints(id)))).flatMap(
    (list) => list.endpoints,
  );
  const sealed = endpoints.filter((endpoint) => endpoint.url === url).flatMap(({ secrets }) => secrets);
  return Promise.all(
    sealed.map(async (secret) => new TextDecoder().decode(await crypto.open(secret.sealed))),
  );
}

async function received(
  { logger }: Service,
  receive: WebhookReceiver,
  { url, headers, body }: HttpPost,
): Promise<HttpOutcome> {
  try {
    const response = await receive(new Request(url, { method: 'POST', headers, body }));
    const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
    return {
      kind: 'answered',
      status: response.status,
      retryAfter: Number.isInteger(retryAfter) ? retryAfter : null,
      excerpt: (await response.text()).slice(0, EXCERPT_LENGTH),
    };
  } catch (error) {
    // A server answers 500 when its handler throws. The log keeps the error, which would pass unnoticed.
    logger.error({ url, err: error }, "the test's webhook receiver threw");
    return {
      kind: 'answered',
      status: 500,
      retryAfter: null,
      excerpt: String(error).slice(0, EXCERPT_LENGTH),
    };
  }
}

/** The part of an answer that the service sees. */
const EXCERPT_LENGTH = 1_024;

function outcomeOf(failure: WebhookFailure): HttpOutcome {
  return failure === 'timeout'
    ? { kind: 'timed_out' }
    : { kind: 'answered', status: failure, retryAfter: null, excerpt: '' };
}
