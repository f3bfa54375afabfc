import { z } from 'zod';

import { EventType } from './enums.js';
import { fields } from './requests.js';
import { isoDate } from './scalars.js';

/** deliveries#one-delivery-per-endpoint, management#project-functions: where a project's webhooks go, without its secrets. */
export const EndpointWire = z.strictObject({
  id: z.string(),
  url: z.string(),
  types: z.array(EventType).min(1),
  enabled: z.boolean(),
  /** Why the service turned it off by itself: it answered 410, or failed for three days. */
  disabled_reason: z.enum(['gone', 'failing']).nullable(),
  /** Since when every delivery failed. */
  failing_since: isoDate.nullable(),
  /** Until when the secret before the last regeneration signs too. */
  previous_secret_expires_at: isoDate.nullable(),
  created_at: isoDate,
});
export type EndpointWire = z.infer<typeof EndpointWire>;

/** An endpoint at its creation and at each regeneration: the only times its secret is shown. */
export const EndpointWithSecret = EndpointWire.extend({ secret: z.string() });
export type EndpointWithSecret = z.infer<typeof EndpointWithSecret>;

const types = z
  .array(z.enum(EventType.options, { error: 'must be the name of an event' }), {
    error: 'must be a list of event names',
  })
  .min(1, { error: 'must name at least one event' })
  .refine((names) => new Set(names).size === names.length, { error: 'must not name an event twice' });

/** deliveries#endpoint-address. What makes an address fit depends on the host's settings and is judged by the operation. */
export const EndpointInput = fields({
  url: z.string({ error: 'must be an address' }).max(2_048, { error: 'must be at most 2048 characters' }),
  types,
});
export type EndpointInput = z.input<typeof EndpointInput>;

export const EndpointUpdate = fields({ types });
export type EndpointUpdate = z.input<typeof EndpointUpdate>;

/** deliveries#secret-rotation-overlap: for how many hours the old secret signs beside the new one. */
export const SecretRotation = fields({
  overlap_hours: z
    .number({ error: 'must be a number of hours' })
    .min(0, { error: 'must be 0 to 24' })
    .max(24, { error: 'must be 0 to 24' })
    .default(0),
});
export type SecretRotation = z.input<typeof SecretRotation>;
