import type { z } from 'zod';

import { SERVED_VERSIONS, VERSION } from '../contract/version.js';
import type { ContractOperation } from '../operations/operation.js';
import { CONTRACT_OPERATIONS } from '../operations/table.js';
import { HEADERS, responsesOf } from './openapi/responses.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './openapi/document.js';
import { examplesOf } from './openapi/examples.js';
import { inline, refTo, schemas } from './openapi/schemas.js';
import { webhooks } from './openapi/webhooks.js';

export type * from './openapi/document.js';

/** The options of `openApiDocument`. */
export interface OpenApiOptions {
  /** The address before `/v1`, without a slash at its end; relative to the document when absent. */
  readonly server?: string;
}

/** Makes the OpenAPI 3.1 document of the contract from the tables that serve it. */
export function openApiDocument({ server = '.' }: OpenApiOptions = {}): OpenApiDocument {
  const paths: Record<string, OpenApiDocument['paths'][string]> = {};
  for (const operation of CONTRACT_OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method === 'GET' ? 'get' : 'post']: operationObject(operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Subrail',
      version: VERSION,
      description:
        'Recurring token payments on Solana. A path or method that does not exist answers 404 not_found. ' +
        'Within a version the contract only grows: ignore fields you do not know, and keep a default branch on ' +
        'every enum, reason, code and event.',
    },
    servers: [{ url: server }],
    security: [{ ApiKey: [] }],
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        ApiKey: { type: 'http', scheme: 'bearer', description: 'The API key of the project, SUB_...' },
      },
      headers: HEADERS,
      parameters: {
        Version: {
          name: 'Service-Version',
          in: 'header',
          required: false,
          description: 'The version for which the caller was written; the first one when absent.',
          schema: { type: 'string', enum: [...SERVED_VERSIONS] },
        },
      },
      schemas: schemas(),
    },
  };
}

function operationObject(operation: ContractOperation): OpenApiOperation {
  const { method, input } = operation;
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [operation.path.split('/')[2] ?? ''],
    parameters: [
      { $ref: '#/components/parameters/Version' },
      ...pathParameters(operation),
      ...(method === 'GET' && input !== null ? queryParameters(input) : []),
    ],
    ...(method === 'GET' || input === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: refTo(input), ...examplesOf(input) },
            },
          },
        }),
    responses: responsesOf(operation),
  };
}

function pathParameters({ parameters, path }: ContractOperation): OpenApiParameter[] {
  const resource = path.split('/')[2]?.replace(/s$/, '');
  return parameters
    .filter((name) => name !== 'project')
    .map((name) => {
      const description = name === 'slug' ? 'The slug of the plan.' : `The id of the ${resource}.`;
      return { name, in: 'path', required: true, description, schema: { type: 'string' } };
    });
}

/** The description of each query parameter, by its name. */
const QUERY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  wallet:
    'The customer, by wallet address. Name the customer by exactly one of wallet, external_id and email.',
  external_id: 'The customer, by your own id, 1 to 255 characters.',
  email: 'The customer, by email address, at most 254 characters.',
  plan: 'The slug of one plan; every plan when absent.',
  attempts: 'Whether the answer lists the last five charges too; false when absent.',
  limit: 'How many items a page has at most, 1 to 100.',
  starting_after: 'The id of the last item of the previous page.',
  type: 'Only events of this type.',
  subscription: 'Only events of the subscription with this id.',
};

function queryParameters(input: z.ZodType): OpenApiParameter[] {
  const { properties = {}, required = [] } = inline(input, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: QUERY_DESCRIPTIONS[name] ?? '',
    schema,
  }));
}
