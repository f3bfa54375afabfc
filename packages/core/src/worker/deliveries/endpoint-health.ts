import type { HttpOutcome, SettledDelivery } from '../../ports/index.js';
import type { Endpoint, SubscriptionId } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { ENDPOINT_ENDINGS } from '../../service/alert-kinds.js';
import { endpointAfterAttempt, isSuccess } from '../../webhooks/attempt-result.js';

/** The subject of an event, for the log. */
export interface EventSubject {
  readonly subscription: SubscriptionId;
  /** The `external_id` of the customer; absent when there is none. */
  readonly customer?: string;
}

/**
 * Follows whether an endpoint works: writes it to the record, logs each failed attempt, and reports an
 * endpoint that fails or is turned off as an alert (alerts#endpoints).
 */
export class EndpointHealth {
  readonly #service: Service;
  #endpoint: Endpoint;
  /** The changes of the record follow each other. */
  #last: Promise<void> = Promise.resolve();

  constructor(service: Service, endpoint: Endpoint) {
    this.#service = service;
    this.#endpoint = endpoint;
  }

  /** Whether nothing may be sent to the endpoint any more. */
  get isOff(): boolean {
    return !this.#endpoint.enabled;
  }

  /** Reports an attempt, and writes its effect on the record. `outcome`: null when the service failed. */
  noteAttempt(settled: SettledDelivery, outcome: HttpOutcome | null, subject: EventSubject): Promise<void> {
    this.#report(settled, outcome, subject);
    if (outcome === null) return Promise.resolve();
    this.#last = this.#last.catch(() => undefined).then(() => this.#write(settled, outcome));
    return this.#last;
  }

  async #write({ delivery, attempt }: SettledDelivery, outcome: HttpOutcome): Promise<void> {
    const { store } = this.#service;
    const endedAt = plus(attempt.startedAt, attempt.durationMs);
    for (;;) {
      const after = endpointAfterAttempt(this.#endpoint, outcome, endedAt, delivery.state === 'failed');
      // The common case writes nothing.
      if (after === this.#endpoint) return;
      if ((await store.updateEndpoint(after)) === 'updated') {
        this.#endpoint = after;
        if (!after.enabled) this.#reportOff();
        return;
      }
      const { projectId, id } = this.#endpoint;
      const changed = await store.findEndpoint(projectId, id);
      if (changed === null) {
        this.#endpoint = { ...this.#endpoint, enabled: false };
        return;
      }
      this.#endpoint = changed;
    }
  }

  #report({ delivery, attempt }: SettledDelivery, outcome: HttpOutcome | null, subject: EventSubject): void {
    const { logger, alerts } = this.#service;
    const { id, projectId } = this.#endpoint;
    if (outcome !== null) alerts.over('endpoint_cannot_sign', id, ENDPOINT_ENDINGS.signed);
    if (outcome !== null && isSuccess(outcome)) {
      alerts.over('endpoint_failing', id, ENDPOINT_ENDINGS.accepts);
      return;
    }
    const { status, excerpt } = attempt;
    // An answer may hold anything, and is in the delivery's log; a failure without an answer is in our words.
    const reason = status === null ? excerpt : `The endpoint answered ${status}.`;
    logger.info(
      {
        endpoint: id,
        project: projectId,
        ...subject,
        delivery: delivery.id,
        event: delivery.eventId,
        type: delivery.type,
        attempt: attempt.number,
        reason,
        next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
      },
      attempt.nextAttemptAt === null
        ? 'The last attempt of a delivery failed. It can be sent again by hand.'
        : 'An attempt of a delivery failed. It is tried again.',
    );
    if (outcome === null)
      alerts.seen({ kind: 'endpoint_cannot_sign', subject: id, facts: factsOf(this.#endpoint) });
    else
      alerts.seen({ kind: 'endpoint_failing', subject: id, facts: { ...factsOf(this.#endpoint), reason } });
  }

  #reportOff(): void {
    const { alerts } = this.#service;
    const { id, disabledReason } = this.#endpoint;
    alerts.over('endpoint_failing', id, ENDPOINT_ENDINGS.turnedOff);
    alerts.seen({
      kind: 'endpoint_turned_off',
      subject: id,
      facts: { ...factsOf(this.#endpoint), reason: disabledReason },
    });
  }
}

/** The facts of alerts about an endpoint. The path and the query of its URL may hold a secret. */
export function factsOf({ projectId, url }: Endpoint) {
  return { project: projectId, host: new URL(url).host };
}
