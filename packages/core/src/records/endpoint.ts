import type { EventType } from '../contract/enums.js';
import type { DeliveryId, EndpointId, EventId, ProjectId } from './ids.js';

/** A signing secret of an endpoint, sealed by the `CryptoProvider`. Nothing is signed from `expiresAt` on. */
export interface SigningSecret {
  readonly sealed: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** A URL to which a project's webhooks are posted. */
export interface Endpoint {
  readonly id: EndpointId;
  readonly projectId: ProjectId;
  readonly version: number;
  readonly url: string;
  /** The event types it selects. */
  readonly types: readonly EventType[];
  readonly enabled: boolean;
  /** Why the service disabled it: by a 410 (`gone`) or three days of failures. Else null. */
  readonly disabledReason: 'gone' | 'failing' | null;
  /** Newest first. At most two are live at once, during a rotation's overlap. */
  readonly secrets: readonly SigningSecret[];
  /** When the first of its consecutive failures was; null after a success. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  /** When it was deleted; null while it is not. Only deliveries still name a deleted endpoint. */
  readonly deletedAt: Date | null;
}

/** An event for one endpoint, or a test of the endpoint. Its id is the `webhook-id` of every attempt. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly projectId: ProjectId;
  /** Null for a test delivery, which belongs to no event. */
  readonly eventId: EventId | null;
  readonly endpointId: EndpointId;
  readonly type: EventType | 'test';
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  /** Attempts before it was sent again by hand, which begins the schedule anew. */
  readonly attemptsBefore: number;
  /** When it is due; null once delivered or failed, while it waits for a held event, and for a test. */
  readonly nextAttemptAt: Date | null;
  /** HTTP status of the last attempt; null when there was no response. */
  readonly lastStatus: number | null;
  /** The start of the last response, or the failure in words, at most 1,024 characters. */
  readonly lastExcerpt: string | null;
  readonly createdAt: Date;
  /** When it was delivered or failed. */
  readonly settledAt: Date | null;
}

/** An attempt of a delivery, as its log shows it. */
export interface DeliveryAttempt {
  readonly deliveryId: DeliveryId;
  /** Its number among the attempts of the delivery, from 1. */
  readonly number: number;
  /** When it began, by the clock of the host that made it. */
  readonly startedAt: Date;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** The HTTP status; null when there was no response. */
  readonly status: number | null;
  /** The start of the response, or the failure in words, at most 1,024 characters. */
  readonly excerpt: string;
  /** When the next attempt was due after it; null when none was. */
  readonly nextAttemptAt: Date | null;
}
