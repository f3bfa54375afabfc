import * as z from 'zod';

import { EventType } from '../../contract/enums.js';
import { overlapInput } from '../../contract/inputs.js';
import { fields } from '../../contract/requests.js';
import { isoDate } from '../../contract/scalars.js';

/** A webhook endpoint, without its secrets. Dates are of the wall clock of the hosts. */
export const EndpointWire = z.strictObject({
  id: z.string(),
  url: z.string(),
  types: z.array(EventType).min(1),
  enabled: z.boolean(),
  /**
   * `gone`: it answered 410. `failing`: it failed for three days. Null while enabled, or when disabled by
   * hand.
   */
  disabled_reason: z.enum(['gone', 'failing']).nullable(),
  /** When the first of the attempts was that have all failed since. */
  failing_since: isoDate.nullable(),
  /** While it fails: what the newest delivery that waits was answered last; null without one. */
  last_failure: z
    .strictObject({
      /** The HTTP status; null when there was no answer. */
      status: z.int().nullable(),
      /** The start of the answer, or why there was none: at most 1,024 characters. */
      excerpt: z.string(),
    })
    .nullable(),
  /** False when the service's sealing key does not open the secret: then nothing is sent. */
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

/**
 * A new endpoint: an https and public address, unless the settings allow others, and the events it receives.
 */
export const EndpointInput = fields({
  url: z.string({ error: 'must be an address' }).max(2_048, { error: 'must be at most 2048 characters' }),
  types,
});
export type EndpointInput = z.input<typeof EndpointInput>;

/** A change of an endpoint: the events it receives from now on. */
export const EndpointUpdate = fields({ types });
export type EndpointUpdate = z.input<typeof EndpointUpdate>;

/** The replacement of a signing secret: the old secret signs too for another `overlap_hours`, 0 to 24. */
export const SecretRotation = fields({ overlap_hours: overlapInput });
export type SecretRotation = z.input<typeof SecretRotation>;

/** The result of a reseal. Every endpoint is counted or listed once. */
export const ResealedSecrets = z.strictObject({
  /** The number of endpoints whose secrets were sealed anew. */
  resealed: z.int().min(0),
  /** The number of endpoints whose secrets the newest key had sealed already. */
  unchanged: z.int().min(0),
  /** Endpoints with a live secret that none of the keys opens: rotate it, or provide its key. */
  not_opened: z.array(z.strictObject({ project: z.string(), endpoint: z.string() })).readonly(),
  /** The ids of those that the store cannot read, because a row is damaged or a newer release wrote it. */
  unreadable: z.array(z.string()).readonly(),
});

export type ResealedSecrets = z.infer<typeof ResealedSecrets>;

/** The type of a test delivery: `test`, or a type of event that the endpoint selects. */
export const EndpointTest = fields({
  type: z
    .enum([...EventType.options, 'test'], { error: 'must be test or the name of an event' })
    .default('test'),
});

export type EndpointTest = z.input<typeof EndpointTest>;

/** The start of the missed events: ISO 8601 with an offset, such as `2026-10-02T08:30:00Z`. */
export const RecoverInput = fields({
  since: z.iso.datetime({
    offset: true,
    error: 'must be a date with its time and zone, such as "2026-10-02T08:30:00Z"',
  }),
});

export type RecoverInput = z.input<typeof RecoverInput>;

/** The number of missed events that are being sent now. */
export const Recovered = z.strictObject({ recovered: z.int().min(0) });

export type Recovered = z.infer<typeof Recovered>;
