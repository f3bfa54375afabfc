import type * as z from 'zod';

import { SERVED_VERSIONS, VERSION } from '../contract/version.js';
import type { Operation } from '../operations/operation.js';
import {
  CONTRACT_OPERATIONS,
  CUSTOMER_OPERATIONS,
  MANAGED_OPERATIONS,
  SESSION_OPERATIONS,
  VISITOR_OPERATIONS,
  WALLET_OPERATIONS,
} from '../operation-table.js';
import { HEADERS, responsesOf, type ContentOf } from './openapi/responses.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './openapi/document.js';
import { examplesOf, inline, refTo, schemas } from './openapi/schemas.js';
import { webhooks } from './openapi/webhooks.js';

export type * from './openapi/document.js';

/** Makes the OpenAPI 3.1 document of the contract from the tables that serve it. */
export function openApiDocument(): OpenApiDocument {
  return documentOf(CONTRACT_OPERATIONS, '.', {
    title: 'Subrail',
    description:
      'Recurring token payments on Solana. A path or method that does not exist answers 404 not_found. ' +
      'Within a version the contract only grows: ignore fields you do not know, and keep a default branch on ' +
      'every enum, reason, code and event.',
    key: 'The API key of the project, SUB_...',
    contentOf: (schema) => ({ schema: refTo(schema), ...examplesOf(schema) }),
    webhooks: webhooks(),
    parameters: {
      Version: {
        name: 'Service-Version',
        in: 'header',
        required: false,
        description: 'The version for which the caller was written; the first one when absent.',
        schema: { type: 'string', enum: [...SERVED_VERSIONS] },
      },
    },
  });
}

/** The parts of a document that has neither schemas with names, nor webhooks, nor versions. */
const OF_ROUTES_ALONE: Pick<DocumentParts, 'contentOf' | 'webhooks' | 'parameters'> = {
  contentOf: (schema, io) => ({ schema: inline(schema, io) }),
  webhooks: {},
  parameters: {},
};

/** Makes the OpenAPI 3.1 document of the routes that make checkouts, portals and plan links. */
export function sessionDocument(): OpenApiDocument {
  return documentOf(SESSION_OPERATIONS, '..', {
    title: 'Subrail checkout and portal',
    description:
      'What the server of a project calls to send a customer to a checkout or to the portal, and to make plan links. ' +
      'Routes may gain fields of answers, optional fields of bodies, and codes: ignore those you do not know.',
    key: 'The API key of the project, SUB_...',
    ...OF_ROUTES_ALONE,
  });
}

/** Makes the OpenAPI 3.1 document of the management routes, with those of an API key for any project. */
export function managementDocument(): OpenApiDocument {
  return documentOf(MANAGED_OPERATIONS, '..', {
    title: 'Subrail management',
    description:
      'Everything that the operator of the service can do. A path or method that does not exist answers 404 not_found, ' +
      'and so does every path until the first management key is made.',
    key: 'A management key, SUBM_...; one with access read may call the GET routes only.',
    ...OF_ROUTES_ALONE,
  });
}

/** Makes the OpenAPI 3.1 document of the routes of wallets, which take no key. */
export function walletDocument(): OpenApiDocument {
  return documentOf(WALLET_OPERATIONS, '..', {
    title: 'Subrail for wallets',
    description:
      'What a page calls on which wallets cancel, resume and close their subscriptions. It needs no key: it shows what is on ' +
      'chain and what the wallet signed, and only a transaction that the wallet signs changes anything.',
    key: null,
    ...OF_ROUTES_ALONE,
  });
}

/** Makes the OpenAPI 3.1 document of the routes of customers, for pages of a checkout and a portal. */
export function customerDocument(): OpenApiDocument {
  return documentOf([...CUSTOMER_OPERATIONS, ...VISITOR_OPERATIONS], '..', {
    title: 'Subrail for customers',
    description:
      'What the page of a checkout or a portal calls for one customer. A session shows and does what its customer may, and ' +
      'nothing else; only a transaction that the wallet signs changes anything on chain. A POST needs the header Service-Version.',
    key: 'The secret of a session, chs_..., which is in the address of its page behind the #.',
    ...OF_ROUTES_ALONE,
    parameters: {
      Version: {
        name: 'Service-Version',
        in: 'header',
        required: false,
        description: 'The version for which the caller was written. A POST must name one.',
        schema: { type: 'string', enum: [...SERVED_VERSIONS] },
      },
    },
  });
}

/** The differences of the documents. */
interface DocumentParts {
  readonly title: string;
  readonly description: string;
  /** Which key a caller needs; null for none. */
  readonly key: string | null;
  readonly contentOf: ContentOf;
  readonly webhooks: OpenApiDocument['webhooks'];
  /** The parameters of every operation. */
  readonly parameters: Readonly<Record<string, OpenApiParameter>>;
}

/** @param server the address before the routes, relative to that of the document */
function documentOf(
  operations: readonly Operation[],
  server: string,
  { title, description, key, contentOf, webhooks, parameters }: DocumentParts,
): OpenApiDocument {
  const paths: Record<string, OpenApiDocument['paths'][string]> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method === 'GET' ? 'get' : 'post']: operationObject(operation, parameters, contentOf),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title, version: VERSION, description },
    servers: [{ url: server }],
    security: key === null ? [] : [{ ApiKey: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: key === null ? {} : { ApiKey: { type: 'http', scheme: 'bearer', description: key } },
      headers: HEADERS,
      parameters,
      schemas: schemas(),
    },
  };
}

function operationObject(
  operation: Operation,
  common: DocumentParts['parameters'],
  contentOf: ContentOf,
): OpenApiOperation {
  const { method, input, scope } = operation;
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [operation.name.split('.')[0] ?? ''],
    ...(scope === 'visitor' ? { security: [] as const } : {}),
    parameters: [
      ...Object.keys(common).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...pathParameters(operation),
      ...(method === 'GET' && input !== null ? queryParameters(input) : []),
    ],
    ...(method === 'GET' || input === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': contentOf(input, 'input') },
          },
        }),
    responses: responsesOf(operation, contentOf),
  };
}

/** The parameters of a path. The segment before an id says its kind: `/v1/plans/{slug}`. */
function pathParameters({ path }: Operation): OpenApiParameter[] {
  const segments = path.split('/');
  return segments.flatMap((segment, index) => {
    if (!segment.startsWith('{')) return [];
    const name = segment.slice(1, -1);
    const resource = segments[index - 1]?.replace(/ies$/, 'y').replace(/s$/, '');
    const description =
      name === 'wallet'
        ? 'The address of the wallet.'
        : `The ${name === 'slug' ? 'slug' : 'id'} of the ${resource}.`;
    return [{ name, in: 'path', required: true, description, schema: { type: 'string' } }];
  });
}

function queryParameters(input: z.ZodType): OpenApiParameter[] {
  const { properties = {}, required = [] } = inline(input, 'input');
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}
