import { EventType } from '../../contract/enums.js';
import { EVENT_DETAILS } from '../../contract/event-detail.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './document.js';
import { eventExample } from '../../contract/event-examples.js';
import { inline } from './schemas.js';

const DELIVERY: readonly OpenApiParameter[] = (
  [
    ['webhook-id', "The delivery's id, the same on every retry: deduplicate on it."],
    ['webhook-timestamp', "This attempt's send time in Unix seconds, signed with the body."],
    [
      'webhook-signature',
      'v1, and base64 HMAC-SHA256 of <id>.<timestamp>.<body>; several are separated by spaces.',
    ],
  ] as const
).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

function delivery(type: EventType): OpenApiOperation {
  return {
    operationId: type,
    summary: `Delivers ${type}.`,
    tags: ['webhooks'],
    security: [],
    parameters: DELIVERY,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Event' },
              { properties: { type: { const: type }, detail: inline(EVENT_DETAILS[type], 'output') } },
            ],
          },
          example: eventExample(type),
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'The delivery is accepted when this answer comes within 10 seconds. Otherwise it failed and is retried.',
      },
    },
  };
}

/** The webhooks that are sent to a project's endpoints. */
export function webhooks(): OpenApiDocument['webhooks'] {
  return Object.fromEntries(EventType.options.map((type) => [type, { post: delivery(type) }]));
}
