import * as z from 'zod';

import { EventType } from '../../contract/enums.js';
import { fields } from '../../contract/requests.js';
import { isoDate } from '../../contract/scalars.js';

/** A webhook endpoint: where a project's events are sent, without its secrets. Its dates are the wall clock's of the hosts. */
export const EndpointWire = z.strictObject({
  id: z.string(),
  url: z.string(),
  types: z.array(EventType).min(1),
  enabled: z.boolean(),
  /**
   * Why the service disabled the endpoint: it answered 410 (`gone`), or it failed for three days (`failing`). Null while it is
   * enabled, and when it was disabled by hand.
   */
  disabled_reason: z.enum(['gone', 'failing']).nullable(),
  /** When the first of the attempts was that have all failed since. */
  failing_since: isoDate.nullable(),
  /** Whether the service can sign deliveries. False when its sealing key does not open the secret: then none is sent. */
  can_sign: z.boolean(),
  /** Until when deliveries are signed with the previous secret too. */
  previous_secret_expires_at: isoDate.nullable(),
  created_at: isoDate,
});
export type EndpointWire = z.infer<typeof EndpointWire>;

/** An endpoint with its signing secret, which is shown only at creation and at each rotation. */
export const EndpointWithSecret = EndpointWire.extend({ secret: z.string() });
export type EndpointWithSecret = z.infer<typeof EndpointWithSecret>;

const types = z
  .array(z.enum(EventType.options, { error: 'must be the name of an event' }), {
    error: 'must be a list of event names',
  })
  .min(1, { error: 'must name at least one event' })
  .refine((names) => new Set(names).size === names.length, { error: 'must not name an event twice' });

/** A new endpoint: its address, which is https and public unless the settings allow others, and the events it receives. */
export const EndpointInput = fields({
  url: z.string({ error: 'must be an address' }).max(2_048, { error: 'must be at most 2048 characters' }),
  types,
});
export type EndpointInput = z.input<typeof EndpointInput>;

/** A change of an endpoint: the events it receives from now on. */
export const EndpointUpdate = fields({ types });
export type EndpointUpdate = z.input<typeof EndpointUpdate>;

/** How a signing secret is replaced: for `overlap_hours`, 0 to 24, deliveries are signed with the old secret too. */
export const SecretRotation = fields({
  overlap_hours: z
    .number({ error: 'must be a number of hours' })
    .min(0, { error: 'must be 0 to 24' })
    .max(24, { error: 'must be 0 to 24' })
    .default(0),
});
export type SecretRotation = z.input<typeof SecretRotation>;

/** What a reseal did. Every endpoint is in one of the four: how many, how many, and which. */
export const ResealedSecrets = z.strictObject({
  /** How many endpoints had a secret of an older key, and have it sealed with the newest one now. */
  resealed: z.int().min(0),
  /** How many had every secret sealed with the newest key already. */
  unchanged: z.int().min(0),
  /** Those with a secret that opens with none of the keys, and that still signs: rotate it, or give its key. */
  not_opened: z.array(z.strictObject({ project: z.string(), endpoint: z.string() })).readonly(),
  /** The ids of those that the store cannot read, because a row is damaged or a newer release wrote it. */
  unreadable: z.array(z.string()).readonly(),
});

export type ResealedSecrets = z.infer<typeof ResealedSecrets>;

/** What a test delivery is like: of type `test`, or like an event of a type that the endpoint selects. */
export const EndpointTest = fields({
  type: z
    .enum([...EventType.options, 'test'], { error: 'must be test or the name of an event' })
    .default('test'),
});

export type EndpointTest = z.input<typeof EndpointTest>;

/** From when on the events that an endpoint missed are sent: ISO 8601 with an offset, such as `2026-10-02T08:30:00Z`. */
export const RecoverInput = fields({
  since: z.iso.datetime({
    offset: true,
    error: 'must be a date with its time and zone, such as "2026-10-02T08:30:00Z"',
  }),
});

export type RecoverInput = z.input<typeof RecoverInput>;

/** How many events an endpoint missed and are being sent to it now. */
export const Recovered = z.strictObject({ recovered: z.int().min(0) });

export type Recovered = z.infer<typeof Recovered>;
