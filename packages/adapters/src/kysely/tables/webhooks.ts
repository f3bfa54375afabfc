import type {
  Delivery,
  DeliveryAttempt,
  DeliveryId,
  Endpoint,
  EndpointId,
  SubscriptionEvent,
  EventId,
  Json,
  ProjectId,
  SigningSecret,
  SubscriptionId,
} from '@subrail/core/ports';
import type { EventType } from '@subrail/core/schemas';
import { flag, instant, integer, nullable, text } from '../codec/codec.js';
import { json, list, object, plain } from '../codec/json-codec.js';
import { recordTable } from './record-table.js';

export const eventTable = recordTable<SubscriptionEvent>()('events', {
  id: text<EventId>(),
  projectId: text<ProjectId>(),
  subscriptionId: text<SubscriptionId>(),
  type: text<EventType>(),
  createdAt: instant,
  sequence: integer,
  data: json(plain<Json>()),
  detail: json(plain<Json>()),
  heldState: nullable(json(plain<Json>())),
  body: nullable(text()),
});

const secret = object<SigningSecret>({ sealed: plain(), createdAt: instant, expiresAt: nullable(instant) });

export const endpointTable = recordTable<Endpoint>()('endpoints', {
  id: text<EndpointId>(),
  projectId: text<ProjectId>(),
  version: integer,
  url: text(),
  types: json(plain<Endpoint['types']>()),
  enabled: flag,
  disabledReason: nullable(text<NonNullable<Endpoint['disabledReason']>>()),
  secrets: json(list(secret)),
  failingSince: nullable(instant),
  createdAt: instant,
  deletedAt: nullable(instant),
});

export const deliveryTable = recordTable<Delivery>()('deliveries', {
  id: text<DeliveryId>(),
  projectId: text<ProjectId>(),
  eventId: nullable(text<EventId>()),
  endpointId: text<EndpointId>(),
  type: text<Delivery['type']>(),
  state: text<Delivery['state']>(),
  attempts: integer,
  attemptsBefore: integer,
  nextAttemptAt: nullable(instant),
  lastStatus: nullable(integer),
  lastExcerpt: nullable(text()),
  createdAt: instant,
  settledAt: nullable(instant),
});

export const deliveryAttemptTable = recordTable<DeliveryAttempt>()('delivery_attempts', {
  deliveryId: text<DeliveryId>(),
  number: integer,
  startedAt: instant,
  durationMs: integer,
  status: nullable(integer),
  excerpt: text(),
  nextAttemptAt: nullable(instant),
});
