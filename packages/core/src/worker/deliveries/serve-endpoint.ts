import { elapsedOf } from '../../ports/elapsed-of.js';
import type { ClaimedEndpoint, DueDelivery } from '../../ports/index.js';
import { Semaphore } from '../../ports/semaphore.js';
import type { Delivery, Endpoint, SubscriptionEvent } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { failDeliveries } from '../../service/fail-deliveries.js';
import { attemptDelivery, wasNotSigned } from '../../webhooks/attempt-delivery.js';
import { isSuccess } from '../../webhooks/attempt-result.js';
import { RESPONSE_TIMEOUT_MS } from '../../webhooks/delivery-request.js';
import { signingKeys } from '../../webhooks/signing-keys.js';
import { eventBody } from '../../wire/event.js';
import { EndpointHealth, type EventSubject } from './endpoint-health.js';
import type { DeliveryBatcher } from './delivery-batcher.js';

/** How many requests may be in flight to one endpoint (deliveries#in-flight-limit-per-endpoint). */
const MAX_IN_FLIGHT = 8;

/** How many are in flight at first to an endpoint that is not known to fail. */
const FIRST_IN_FLIGHT = 2;

/** Deliveries that are read for each request that may be in flight, so that memory stays small. */
const READ_PER_REQUEST = 8;

/** How long deliveries are sent before a new read (deliveries#change-of-an-endpoint-in-use). */
const READ_AGAIN_MS = 1_000;

/** A failure that took longer than this: the endpoint is let go, so that others get its place. */
const SLOW_MS = 1_000;

/** The time to write the last results before the lease ends. */
const SETTLE_MS = 5_000;

/** No attempt begins when less of the lease is left. */
const LAST_START_MS = RESPONSE_TIMEOUT_MS + SETTLE_MS;

/** How long a delivery that cannot be read is left alone. */
const UNREADABLE_MS = 3_600_000;

/** How many attempts succeeded, how many will be retried, and how many deliveries failed. */
export interface DeliveryPass {
  readonly delivered: number;
  readonly retrying: number;
  readonly failed: number;
}

/** The state that all endpoints of a pass share. */
export interface Sending {
  readonly batcher: DeliveryBatcher;
  /** Ends the serving after the attempts in flight. */
  readonly signal: AbortSignal | undefined;
  readonly count: (counts: DeliveryPass) => void;
}

/**
 * Sends the due deliveries of a claimed endpoint, until nothing is due, an attempt fails slowly, or the lease
 * ends. The requests in flight begin few, double with each success and fall to one with a failure, so a
 * hanging endpoint holds few. Returns whether an attempt failed slowly.
 * @param heldUntil when the lease ends by the time that passes, which a clock that is set back does not
 *   prolong
 */
export async function serveEndpoint(
  service: Service,
  { endpoint: claimed, leasedUntil }: ClaimedEndpoint,
  heldUntil: number,
  sending: Sending,
): Promise<{ readonly isSlow: boolean }> {
  const { store, wallClock } = service;
  const mayStart = () =>
    sending.signal?.aborted !== true &&
    Math.min(heldUntil - elapsedOf(wallClock), leasedUntil.getTime() - wallClock.now().getTime()) >
      LAST_START_MS;
  let concurrency = claimed.failingSince === null ? FIRST_IN_FLIGHT : 1;

  for (;;) {
    // Read again each time: the endpoint may have been changed since it was claimed.
    const endpoint = await store.findEndpoint(claimed.projectId, claimed.id);
    if (endpoint?.enabled !== true) {
      const failed = await failDeliveries(service, claimed);
      sending.count({ delivered: 0, retrying: 0, failed });
      return { isSlow: false };
    }
    if (!mayStart()) return { isSlow: false };
    const due = await readDue(service, endpoint, concurrency * READ_PER_REQUEST);
    if (due === null) continue;
    if (due.length === 0) return { isSlow: false };
    const batch = new Batch(service, endpoint, sending, concurrency);
    await batch.attemptAll(due, mayStart);
    if (batch.isSlow && !batch.isOff) return { isSlow: true };
    concurrency = batch.concurrency;
  }
}

/**
 * Reads the due deliveries; null when none of them can be read. Unreadable ones are logged, and left alone
 * for an hour.
 */
async function readDue(
  { store, wallClock, logger }: Service,
  { id, projectId }: Endpoint,
  limit: number,
): Promise<readonly DueDelivery[] | null> {
  const now = wallClock.now();
  const { due, unreadable } = await store.listDueDeliveries(id, now, limit, plus(now, UNREADABLE_MS));
  for (const { id: delivery, error } of unreadable) {
    logger.error(
      { delivery, endpoint: id, project: projectId, err: error },
      'A delivery cannot be read from the store, so it is not sent. It is tried again in an hour.',
    );
  }
  return due.length === 0 && unreadable.length > 0 ? null : due;
}

/** A delivery with the body of its event, and what the event is about. */
interface ToSend {
  readonly delivery: Delivery;
  readonly body: string;
  readonly subject: EventSubject;
}

/** Attempts of deliveries that were read together. */
class Batch {
  readonly #service: Service;
  readonly #endpoint: Endpoint;
  readonly #sending: Sending;
  readonly #health: EndpointHealth;
  readonly #counts = { delivered: 0, retrying: 0, failed: 0 };
  readonly #places: Semaphore;
  /** Whether an attempt failed that took long. */
  isSlow = false;

  constructor(service: Service, endpoint: Endpoint, sending: Sending, concurrency: number) {
    this.#service = service;
    this.#endpoint = endpoint;
    this.#sending = sending;
    this.#health = new EndpointHealth(service, endpoint);
    this.#places = new Semaphore(concurrency);
  }

  /** How many requests may be in flight now. */
  get concurrency(): number {
    return this.#places.limit;
  }

  /** Whether nothing may be sent to the endpoint any more, so that its pending deliveries have to fail. */
  get isOff(): boolean {
    return this.#health.isOff;
  }

  /**
   * Makes the attempts that begin within a second, one at least. Rejects when the service failed at one, once
   * all ended.
   */
  async attemptAll(due: readonly DueDelivery[], mayStart: () => boolean): Promise<void> {
    const { crypto, wallClock } = this.#service;
    const { opened } = await signingKeys(crypto, this.#endpoint, wallClock.now());
    const toSend = await this.#withBodies(due);
    const attempts: Promise<void>[] = [];
    const results: Promise<void>[] = [];
    const errors: unknown[] = [];
    const failed = (error: unknown) => void errors.push(error);
    const readAgainAt = elapsedOf(wallClock) + READ_AGAIN_MS;
    const mayGoOn = () => mayStart() && elapsedOf(wallClock) < readAgainAt;
    for (const { delivery, body, subject } of toSend) {
      await this.#places.acquire();
      if (!mayGoOn() || this.isOff || this.isSlow || errors.length > 0) break;
      const attempt = this.#attempt({ delivery, body, subject }, opened)
        .then(({ result }) => void results.push(result.catch(failed)), failed)
        .finally(() => this.#places.release());
      attempts.push(attempt);
    }
    await Promise.all(attempts);
    await Promise.all(results);
    // Deliveries to be retried fail with all that are pending, and are counted then.
    if (this.isOff) this.#counts.retrying = 0;
    this.#sending.count(this.#counts);
    if (errors.length > 0) throw errors[0];
  }

  /**
   * Adds the bodies of the events. The first attempt of an event writes its body, and later ones send the
   * stored bytes (events#event-body-written-once).
   */
  async #withBodies(due: readonly DueDelivery[]): Promise<readonly ToSend[]> {
    const { store, chain } = this.#service;
    const absent = due.map(({ event }) => event).filter(({ body }) => body === null);
    const written =
      absent.length === 0
        ? []
        : await store.saveBodiesIfAbsent(
            absent.map((event) => ({
              eventId: event.id,
              body: JSON.stringify(eventBody(event, chain.network)),
            })),
          );
    const writtenOf = new Map(absent.map(({ id }, place) => [id, written[place]]));
    return due.map(({ delivery, event }): ToSend => {
      const { id, body } = event;
      const stored = body ?? writtenOf.get(id);
      if (stored === undefined) throw new Error(`The store returned no body for the event ${id}.`);
      return { delivery, body: stored, subject: subjectOfEvent(event) };
    });
  }

  /** Makes one attempt. When it ends, its result is still being written. */
  async #attempt(
    { delivery, body, subject }: ToSend,
    keys: readonly Uint8Array[],
  ): Promise<{ readonly result: Promise<void> }> {
    const { wallClock, telemetry } = this.#service;
    const { nextAttemptAt: dueAt } = delivery;
    if (dueAt !== null)
      telemetry.late('deliveries', Math.max(0, wallClock.now().getTime() - dueAt.getTime()) / 1_000);
    const { subscription } = subject;
    const details = { subscription, delivery: delivery.id, endpoint: this.#endpoint.id, type: delivery.type };
    const { settled, outcome, succeeded } = await telemetry.span(
      { kind: 'delivery', name: 'attempt', details },
      async (end) => {
        const attempt = await attemptDelivery(this.#service, this.#endpoint, delivery, body, keys);
        if (attempt.outcome !== null && wasNotSigned(delivery))
          this.#service.alerts.seen({ kind: 'sealing_keys_differ' });
        const isOk = attempt.outcome !== null && isSuccess(attempt.outcome);
        end({ outcome: isOk ? 'ok' : 'failed', failed: !isOk });
        return { ...attempt, succeeded: isOk };
      },
    );
    this.#places.limit = succeeded ? Math.min(MAX_IN_FLIGHT, this.concurrency * 2) : 1;
    if (!succeeded && settled.attempt.durationMs > SLOW_MS) this.isSlow = true;
    const result = this.#sending.batcher.settle(settled).then(async (written) => {
      // Another sender settled the attempt after the lease, or the delivery was sent again by hand.
      if (written === 'lost') return;
      const { state } = settled.delivery;
      this.#counts[state === 'pending' ? 'retrying' : state] += 1;
      await this.#health.noteAttempt(settled, outcome, subject);
    });
    return { result };
  }
}

/** The subscription of an event, and the project's reference of its customer, from the snapshot. */
function subjectOfEvent({ subscriptionId: subscription, data }: SubscriptionEvent): EventSubject {
  const customer: unknown = Reflect.get(Object(data) as object, 'external_id');
  return typeof customer === 'string' ? { subscription, customer } : { subscription };
}
