import type { EventType } from '../contract/enums.js';
import type { DeliveryId, EndpointId, EventId, ProjectId } from './ids.js';

/** A signing secret, sealed by the Crypto port. After `expiresAt` it signs nothing more. */
export interface SigningSecret {
  readonly sealed: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** Where a project's webhooks go. */
export interface Endpoint {
  readonly id: EndpointId;
  readonly projectId: ProjectId;
  readonly version: number;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly enabled: boolean;
  /** Why the service turned it off by itself, or null. */
  readonly disabledReason: 'gone' | 'failing' | null;
  /** Newest first; at most two live at once (deliveries#secret-rotation-overlap). */
  readonly secrets: readonly SigningSecret[];
  /** Since when every delivery failed, or null after a success. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

/** One event on its way to one endpoint. Its id is the `webhook-id` of every attempt. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly projectId: ProjectId;
  readonly eventId: EventId;
  readonly endpointId: EndpointId;
  readonly state: 'pending' | 'delivered' | 'failed';
  /** Attempts made so far. */
  readonly attempts: number;
  /** Null once it is settled. */
  readonly nextAttemptAt: Date | null;
  /** HTTP status of the last attempt, or null when none was answered. */
  readonly lastStatus: number | null;
  /** The start of the last answer or the failure in words, at most 1,024 characters (deliveries#response-excerpt). */
  readonly lastExcerpt: string | null;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}
