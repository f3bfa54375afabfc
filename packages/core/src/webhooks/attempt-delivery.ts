import type {
  Clock,
  CryptoProvider,
  HttpOutcome,
  HttpSender,
  Random,
  SettledDelivery,
} from '../ports/index.js';
import type { Delivery, Endpoint } from '../records/index.js';
import { afterAttempt, describeOutcome } from './attempt-result.js';
import { deliveryRequest } from './delivery-request.js';

/** A delivery after an attempt, and how the attempt went. */
export interface MadeAttempt {
  readonly settled: SettledDelivery;
  /** Null when nothing could be signed, so that nothing was sent: it is not the endpoint that failed. */
  readonly outcome: HttpOutcome | null;
}

/** The words of an attempt for which no secret opens (deliveries#secret-that-cannot-be-opened). */
const UNSIGNED: HttpOutcome = {
  kind: 'refused',
  reason: 'no signing secret of the endpoint opens with the sealing key',
};

/** Whether the last attempt of a delivery failed because this process, or another one, could not sign. */
export function wasNotSigned({ lastStatus, lastExcerpt }: Delivery): boolean {
  return lastStatus === null && lastExcerpt === describeOutcome(UNSIGNED);
}

interface AttemptPorts {
  readonly crypto: CryptoProvider;
  readonly sender: HttpSender;
  /** The wall clock of this host. */
  readonly wallClock: Clock;
  readonly random: Random;
}

/** Makes one attempt of a delivery. Nothing of it is stored. */
export async function attemptDelivery(
  { crypto, sender, wallClock, random }: AttemptPorts,
  { url }: Endpoint,
  delivery: Delivery,
  body: string,
  keys: readonly Uint8Array[],
): Promise<MadeAttempt> {
  const startedAt = wallClock.now();
  const outcome =
    keys.length === 0
      ? null
      : await sender.post(
          await deliveryRequest(crypto, keys, { id: delivery.id, url, body, now: startedAt }),
        );
  const jitter = random.bytes(4).reduce((sum, byte) => (sum + byte) / 256, 0);
  const settled = afterAttempt(delivery, outcome ?? UNSIGNED, {
    startedAt,
    endedAt: wallClock.now(),
    jitter,
  });
  return { settled, outcome };
}
