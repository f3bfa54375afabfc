import type { HttpOutcome } from '../../ports/http-sender.js';
import type { ClaimedDelivery } from '../../ports/store.js';
import type { Delivery, Endpoint, EndpointId, SubscriptionEvent } from '../../records/index.js';
import type { Service } from '../../service.js';
import { deliveryAfterAttempt, endpointAfterAttempt, isSuccess } from '../../webhooks/attempt-result.js';
import { deliveryRequest, RESPONSE_TIMEOUT_MS } from '../../webhooks/delivery-request.js';
import { eventBody } from '../../wire/event.js';
import { PerKeyConcurrency } from './per-key-concurrency.js';

/** How many requests of one pass may be in flight to one endpoint (deliveries#in-flight-limit-per-endpoint). */
const MAX_IN_FLIGHT_PER_ENDPOINT = 8;

/** How many claimed deliveries a pass may have at once, in flight or waiting for their endpoint. */
const MAX_CLAIMED = 1_000;

/** The lease of a claimed delivery: twice the time an endpoint may take to respond, and time to store the result. */
const LEASE_MS = 30_000;

/** How often a pass claims again while it waits for slow endpoints, so that other endpoints are served meanwhile. */
const CLAIM_INTERVAL_MS = 1_000;

/** For how long a pass claims deliveries. The pass ends when all attempts that it claimed have ended. */
const CLAIM_FOR_MS = 20_000;

/** The result of one pass: how many attempts succeeded, how many will be retried, and how many deliveries failed. */
export interface DeliveryPass {
  readonly delivered: number;
  readonly retrying: number;
  readonly failed: number;
}

type Tally = { -readonly [Name in keyof DeliveryPass]: DeliveryPass[Name] };

/**
 * Runs one pass over all due deliveries: claim, send, settle. Each delivery is settled as soon as its attempt ends,
 * while others are being sent. When an attempt is not settled, because the process died or the store was unavailable,
 * it is repeated after its lease with the same `webhook-id` and the same bytes: delivery is at least once.
 * @param signal once aborted, the pass claims no more and ends with the attempts in flight
 */
export async function runDeliveryPass(service: Service, signal?: AbortSignal): Promise<DeliveryPass> {
  const tally: Tally = { delivered: 0, retrying: 0, failed: 0 };
  const queues = new PerKeyConcurrency<EndpointId>(MAX_IN_FLIGHT_PER_ENDPOINT);
  const claimUntil = service.clock.now().getTime() + CLAIM_FOR_MS;
  try {
    for (;;) {
      // This promise is made before the claim, so that it notices an attempt that ends during the claim.
      const idleEndpoint = queues.nextIdleKey();
      const now = service.clock.now();
      const room = now.getTime() < claimUntil && signal?.aborted !== true ? MAX_CLAIMED - queues.count : 0;
      const claims =
        room > 0 ? await service.store.claimDeliveries(now, room, MAX_IN_FLIGHT_PER_ENDPOINT, LEASE_MS) : [];
      for (const claim of claims) queues.add(claim.endpoint.id, () => attemptOrLog(service, claim, tally));
      if (queues.count === 0) return tally;
      await idleOrInterval(service, idleEndpoint);
    }
  } finally {
    while (queues.count > 0) await queues.nextIdleKey();
  }
}

/** Waits until an endpoint has no more attempts, but no longer than until the next claim. */
async function idleOrInterval({ clock }: Service, idleEndpoint: Promise<void>): Promise<void> {
  const stopSleeping = new AbortController();
  await Promise.race([idleEndpoint, clock.sleep(CLAIM_INTERVAL_MS, stopSleeping.signal)]);
  stopSleeping.abort();
}

/**
 * Attempts a delivery and never rejects. An error here is the service's fault, so it costs the delivery no attempt: the
 * delivery is due again after its lease.
 */
async function attemptOrLog(service: Service, claim: ClaimedDelivery, tally: Tally): Promise<void> {
  try {
    await attempt(service, claim, tally);
  } catch (error) {
    const { id, eventId, endpointId } = claim.delivery;
    service.logger.error(
      { delivery: id, event: eventId, endpoint: endpointId, err: error },
      'A delivery attempt failed with an error of the service. It is repeated after its lease.',
    );
  }
}

async function attempt(service: Service, claim: ClaimedDelivery, tally: Tally): Promise<void> {
  const { store, clock, crypto, sender } = service;
  const { delivery, event, endpoint } = claim;
  const now = clock.now();
  // The delivery waited so long for its endpoint that its lease could end during the attempt.
  if (!leaseOutlastsAttempt(delivery, now)) return;
  if (!endpoint.enabled) {
    // It was disabled while the event was being written, or by a worker that died before it failed the deliveries.
    await store.failDeliveries(endpoint.id, now);
    tally.failed += 1;
    return;
  }
  const body = await bodyOf(service, event);
  const outcome = await sender.post(await deliveryRequest(crypto, delivery.id, endpoint, body, now));
  await settle(service, claim, outcome, tally);
}

function leaseOutlastsAttempt({ nextAttemptAt }: Delivery, now: Date): boolean {
  return nextAttemptAt !== null && nextAttemptAt.getTime() - now.getTime() > RESPONSE_TIMEOUT_MS;
}

/** The body of the event. It is serialised at the first attempt, and every later attempt sends the stored bytes. */
async function bodyOf({ store, chain }: Service, event: SubscriptionEvent): Promise<string> {
  if (event.body !== null) return event.body;
  return store.saveBodyIfAbsent(event.id, JSON.stringify(eventBody(event, chain.network)));
}

async function settle(
  service: Service,
  { delivery, endpoint }: ClaimedDelivery,
  outcome: HttpOutcome,
  tally: Tally,
): Promise<void> {
  const now = service.clock.now();
  const after = deliveryAfterAttempt(delivery, outcome, now, randomFraction(service));
  // This is a conflict: the lease ended and another worker settled the attempt, or the endpoint was disabled meanwhile.
  if ((await service.store.settleDelivery(after)) === 'lost') return;
  const turnedOff = await settleEndpoint(service, endpoint, outcome, now);
  if (turnedOff) await service.store.failDeliveries(endpoint.id, now);
  if (after.state === 'delivered') tally.delivered += 1;
  else if (after.state === 'failed' || turnedOff) tally.failed += 1;
  else tally.retrying += 1;
}

/** Records the attempt on its endpoint, retrying on conflict. Returns whether the endpoint is off now. */
async function settleEndpoint(
  { store, logger }: Service,
  claimed: Endpoint,
  outcome: HttpOutcome,
  now: Date,
): Promise<boolean> {
  // The common case makes no store call.
  if (isSuccess(outcome) && claimed.failingSince === null) return false;
  for (;;) {
    const endpoint = await store.findEndpoint(claimed.projectId, claimed.id);
    if (endpoint === null) return true;
    const after = endpointAfterAttempt(endpoint, outcome, now);
    if (after === endpoint) return !endpoint.enabled;
    if ((await store.updateEndpoint(after)) === 'lost') continue;
    if (!after.enabled) {
      logger.warn({ endpoint: after.id, reason: after.disabledReason }, 'An endpoint was turned off.');
    }
    return !after.enabled;
  }
}

/** A random number from 0 up to, but not including, 1. */
function randomFraction({ random }: Service): number {
  return random.bytes(4).reduce((sum, byte) => (sum + byte) / 256, 0);
}
