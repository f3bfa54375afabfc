import type { HttpOutcome } from '../../ports/http-sender.js';
import type { ClaimedDelivery } from '../../ports/store.js';
import type { Delivery, EndpointId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { deliveryAfter, endpointAfter, isSuccess } from '../../webhooks/after-attempt.js';
import { eventBody } from '../../wire/event.js';
import { ANSWER_WITHIN_MS, webhookPost } from '../../webhooks/webhook-post.js';
import { PerKeyConcurrency } from './per-key-concurrency.js';

/** deliveries#in-flight-limit-per-endpoint. */
const PER_ENDPOINT = 8;

/** Deliveries one pass holds at once, in flight or waiting for their endpoint. */
const HELD = 1_000;

/** How long a claimed delivery is out of other workers' sight: two full waits for an answer and time to write it down. */
const LEASE_MS = 30_000;

/** While endpoints are being waited for, the next look at what is due for others comes no later than this. */
const LOOK_EVERY_MS = 1_000;

/** How long a pass goes on looking; it ends once what it began has been answered. */
const LOOK_FOR_MS = 20_000;

/** What one pass did: attempts that succeeded, attempts that will be repeated, and deliveries given up. */
export interface DeliverPass {
  readonly delivered: number;
  readonly retrying: number;
  readonly failed: number;
}

type Tally = { -readonly [Name in keyof DeliverPass]: DeliverPass[Name] };

/**
 * One pass over every delivery that is due (deliveries#one-delivery-per-endpoint): claim, post, settle. Each is settled as soon as it is answered, and others go
 * on being sent meanwhile. An attempt that was not settled, because this process died or the store could not serve, is made
 * again after its lease with the same `webhook-id` and the same bytes: receivers see it twice at worst, and never not at all.
 */
export async function runDeliveryPass(service: Service): Promise<DeliverPass> {
  const tally: Tally = { delivered: 0, retrying: 0, failed: 0 };
  const lanes = new PerKeyConcurrency<EndpointId>(PER_ENDPOINT);
  const lookUntil = service.clock.now().getTime() + LOOK_FOR_MS;
  try {
    for (;;) {
      const somethingEnded = lanes.nextEmpty();
      const now = service.clock.now();
      const room = now.getTime() < lookUntil ? HELD - lanes.count : 0;
      const claimed = room > 0 ? await service.store.claimDeliveries(now, room, PER_ENDPOINT, LEASE_MS) : [];
      for (const one of claimed) lanes.add(one.endpoint.id, () => attempt(service, one, tally));
      if (lanes.count === 0) return tally;
      await soonest(service, somethingEnded);
    }
  } finally {
    while (lanes.count > 0) await lanes.nextEmpty();
  }
}

/** Waits for work to end, and no longer than until the next look. */
async function soonest({ clock }: Service, somethingEnded: Promise<void>): Promise<void> {
  const awake = new AbortController();
  await Promise.race([somethingEnded, clock.sleep(LOOK_EVERY_MS, awake.signal)]);
  awake.abort();
}

/** Never rejects: what goes wrong here is ours, not the endpoint's, so it costs no attempt and comes back with the lease. */
async function attempt(service: Service, claimed: ClaimedDelivery, tally: Tally): Promise<void> {
  try {
    await attemptOrThrow(service, claimed, tally);
  } catch (error) {
    const { id, eventId, endpointId } = claimed.delivery;
    service.logger.error(
      { delivery: id, event: eventId, endpoint: endpointId, err: error },
      'a delivery attempt broke off; it is made again',
    );
  }
}

async function attemptOrThrow(service: Service, claimed: ClaimedDelivery, tally: Tally): Promise<void> {
  const { store, chain, clock, crypto, sender } = service;
  const { delivery, event, endpoint } = claimed;
  const start = clock.now();
  // It waited so long for its turn that another worker could claim it while it is in flight.
  if (!outlasts(delivery, start)) return;
  if (!endpoint.enabled) {
    // Turned off while the event was being written, or by a worker that died before it came to this.
    await store.failDeliveries(endpoint.id, start);
    tally.failed += 1;
    return;
  }
  const body = event.body ?? (await store.saveBodyIfAbsent(event.id, JSON.stringify(eventBody(event, chain.network))));
  const outcome = await sender.post(await webhookPost(crypto, delivery.id, endpoint, body, start));
  await settle(service, claimed, outcome, tally);
}

/** Whether the lease runs for longer than an endpoint may take to answer. */
function outlasts({ nextAttemptAt }: Delivery, now: Date): boolean {
  return nextAttemptAt !== null && nextAttemptAt.getTime() - now.getTime() > ANSWER_WITHIN_MS;
}

async function settle(
  service: Service,
  { delivery, endpoint }: ClaimedDelivery,
  outcome: HttpOutcome,
  tally: Tally,
): Promise<void> {
  const now = service.clock.now();
  const after = deliveryAfter(delivery, outcome, now, fraction(service));
  // Lost: the lease ran out and another worker told how its attempt went, or the endpoint was turned off meanwhile.
  if ((await service.store.settleDelivery(after)) === 'lost') return;
  const off = await settleEndpoint(service, endpoint, outcome, now);
  if (off) await service.store.failDeliveries(endpoint.id, now);
  if (after.state === 'delivered') tally.delivered += 1;
  else if (after.state === 'failed' || off) tally.failed += 1;
  else tally.retrying += 1;
}

/** Keeps how the endpoint fares; answers whether it is off now. */
async function settleEndpoint(
  { store, logger }: Service,
  claimed: ClaimedDelivery['endpoint'],
  outcome: HttpOutcome,
  now: Date,
): Promise<boolean> {
  // The common case asks the store nothing.
  if (isSuccess(outcome) && claimed.failingSince === null) return false;
  for (;;) {
    const endpoint = await store.findEndpoint(claimed.projectId, claimed.id);
    if (endpoint === null) return true;
    const after = endpointAfter(endpoint, outcome, now);
    if (after === endpoint) return !endpoint.enabled;
    if ((await store.updateEndpoint(after)) === 'lost') continue;
    if (!after.enabled) {
      logger.warn({ endpoint: after.id, reason: after.disabledReason }, 'an endpoint was turned off');
    }
    return !after.enabled;
  }
}

/** From 0 up to, not including, 1. */
function fraction({ random }: Service): number {
  return random.bytes(4).reduce((sum, byte) => (sum + byte) / 256, 0);
}
