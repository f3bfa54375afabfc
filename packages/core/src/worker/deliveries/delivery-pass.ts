import type { EndpointId } from '../../records/index.js';
import { elapsedOf } from '../../ports/elapsed-of.js';
import type { ClaimedEndpoint } from '../../ports/index.js';
import { Semaphore } from '../../ports/semaphore.js';
import type { Service } from '../../service.js';
import { aroundCalls } from '../../service/around-calls.js';
import { serveEndpoint, type DeliveryPass } from './serve-endpoint.js';
import { DeliveryBatcher } from './delivery-batcher.js';

/** Endpoints without failures that are served at once. Each has at most eight requests in flight. */
const MAX_HEALTHY = 2_000;

/** Failing endpoints that are served at once. Each has one request in flight until one succeeds. */
const MAX_FAILING = 1_500;

/** The lease of an endpoint. No attempt begins that could outlast it, also on a host that dies. */
const LEASE_MS = 40_000;

/** How often a pass claims again while it serves endpoints, so that new deliveries are sent at once. */
const CLAIM_INTERVAL_MS = 500;

/** The longest pause after a claim that took long. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * Calls of the store that a pass makes at once. Thousands of endpoints are served at once, and a store has
 * few connections (ten on PostgreSQL) for all passes and requests.
 */
const MAX_STORE_CALLS = 6;

/** For how long a pass claims endpoints when it has an end. */
const CLAIM_FOR_MS = 20_000;

/** How long a pass goes on, and who hears of it. */
export interface DeliveryPassOptions {
  /** Once aborted, the pass claims no more and ends with the attempts in flight. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the pass claims for as long as any endpoint is served. Otherwise it ends when all it claimed in
   * 20 seconds is sent, which a hanging endpoint can delay by ten more.
   */
  readonly untilIdle?: boolean;
  /** Called after each claim that succeeds. */
  readonly progress?: () => void;
}

/**
 * Runs one pass over all endpoints with due deliveries, and sends to each by itself, so that a hanging
 * endpoint holds up no other (deliveries#slow-endpoint-isolation). Delivery is at least once: an attempt that
 * was not settled is repeated after the lease with the same `webhook-id` and the same bytes.
 */
export async function runDeliveryPass(
  given: Service,
  { signal, untilIdle = false, progress = () => undefined }: DeliveryPassOptions = {},
): Promise<DeliveryPass> {
  const storeCalls = new Semaphore(MAX_STORE_CALLS);
  const service = { ...given, store: aroundCalls(given.store, (_, call) => storeCalls.run(call)) };
  const { store, wallClock, logger, figures } = service;
  const counts = { delivered: 0, retrying: 0, failed: 0 };
  const sending = {
    batcher: new DeliveryBatcher(store),
    signal,
    count: (more: DeliveryPass) => {
      counts.delivered += more.delivered;
      counts.retrying += more.retrying;
      counts.failed += more.failed;
      figures.countDeliveries(more);
    },
  };
  const served = new ServedEndpoints();
  const claimUntil = untilIdle ? Infinity : elapsedOf(wallClock) + CLAIM_FOR_MS;

  async function serve(claim: ClaimedEndpoint, heldUntil: number): Promise<void> {
    try {
      const { isSlow } = await serveEndpoint(service, claim, heldUntil, sending);
      // An endpoint that goes on hanging keeps its lease, so that the next claim takes one that has waited.
      if (isSlow && claim.endpoint.failingSince !== null) return;
      await store.releaseEndpoint(claim.endpoint.id, claim.leasedUntil);
    } catch (err) {
      const { id, projectId } = claim.endpoint;
      logger.error(
        { endpoint: id, project: projectId, err },
        'The deliveries of an endpoint failed with an error of the service. They are tried again when the lease is over.',
      );
    }
  }

  try {
    for (;;) {
      // Made before the claim, so that it notices an endpoint that is done during the claim.
      const anyDone = served.nextDone();
      const begunAt = elapsedOf(wallClock);
      if (signal?.aborted !== true && begunAt < claimUntil) {
        const { claimed, unreadable } = await store.claimEndpoints(wallClock.now(), served.room, LEASE_MS);
        for (const { id, error } of unreadable)
          logger.error(
            { endpoint: id, err: error },
            'An endpoint cannot be read from the store, so nothing is sent to it.',
          );
        for (const claim of claimed) served.add(claim.endpoint, () => serve(claim, begunAt + LEASE_MS));
        progress();
      }
      if (served.size === 0) return counts;
      // With many endpoints a claim takes long, and the store serves others too. A sleep of the machine is no
      // claim.
      const claimTook = Math.min(elapsedOf(wallClock) - begunAt, LONGEST_PAUSE_MS);
      await untilNextClaim(service, anyDone);
      await wallClock.sleep(claimTook, signal);
    }
  } finally {
    while (served.size > 0) await served.nextDone();
  }
}

/** Waits until an endpoint is done, and no longer than the time between two claims. */
async function untilNextClaim({ wallClock }: Service, anyDone: Promise<void>): Promise<void> {
  const stopSleeping = new AbortController();
  await Promise.race([anyDone, wallClock.sleep(CLAIM_INTERVAL_MS, stopSleeping.signal)]);
  stopSleeping.abort();
}

/** Serves a claimed endpoint to the end, and does not reject. */
type Serve = () => Promise<void>;

interface Served {
  readonly isFailing: boolean;
  /** Serves it once more after this, because it was claimed again meanwhile. */
  next: Serve | null;
}

/** The endpoints that a pass serves now. */
class ServedEndpoints {
  readonly #served = new Map<EndpointId, Served>();
  #onDone: (() => void)[] = [];

  get size(): number {
    return this.#served.size;
  }

  /** How many more may be served. */
  get room() {
    const failing = [...this.#served.values()].filter(({ isFailing }) => isFailing).length;
    return { healthy: MAX_HEALTHY - (this.size - failing), failing: MAX_FAILING - failing };
  }

  /** Resolves when one of them is done. */
  nextDone(): Promise<void> {
    return new Promise((resolve) => this.#onDone.push(resolve));
  }

  /**
   * Serves an endpoint now, or as soon as it is served to the end: the answer to its release may arrive after
   * a claim that found it released, and a sender that ignores its time limit outlasts the lease.
   */
  add({ id, failingSince }: ClaimedEndpoint['endpoint'], serve: Serve): void {
    const served = this.#served.get(id);
    if (served !== undefined) {
      served.next = serve;
      return;
    }
    const added: Served = { isFailing: failingSince !== null, next: serve };
    this.#served.set(id, added);
    void this.#serve(id, added);
  }

  async #serve(id: EndpointId, served: Served): Promise<void> {
    for (let serve = served.next; serve !== null; serve = served.next) {
      served.next = null;
      await serve();
    }
    this.#served.delete(id);
    for (const resolve of this.#onDone.splice(0)) resolve();
  }
}
