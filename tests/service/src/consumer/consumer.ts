import type { WebhookEvent } from '@subrail/core/webhooks';

/** A delivery as a receiver has it once its signature was verified. */
export interface ReceivedEvent {
  readonly webhookId: string;
  readonly event: WebhookEvent;
}

/**
 * A model of a receiver that knows who has access from webhooks alone. It applies the events of a
 * subscription by `sequence`, as docs/webhooks.md tells receivers to.
 */
export class Consumer {
  readonly #applied = new Map<string, WebhookEvent>();

  receive({ event }: ReceivedEvent): void {
    const { sequence = 0, data } = event;
    if (sequence > (this.#applied.get(data.id)?.sequence ?? 0)) this.#applied.set(data.id, event);
  }

  /** Whether any subscription of a customer to a plan grants access, by what was received so far. */
  hasAccess(customer: string, plan: string): boolean {
    return [...this.#applied.values()].some(
      ({ data }) => data.external_id === customer && data.plan === plan && data.access,
    );
  }
}
