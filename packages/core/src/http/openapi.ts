import { SERVED_VERSIONS, VERSION } from '../contract/version.js';
import { answersOf, HEADERS } from './openapi/answers.js';
import type { OpenApiDocument, Operation, Parameter } from './openapi/document.js';
import { examplesOf } from './openapi/examples.js';
import { EVENTS_NOT_YET } from './openapi/not-yet.js';
import { OPERATIONS } from './openapi/operations.js';
import { inline, refTo, schemas } from './openapi/schemas.js';
import { webhooks } from './openapi/webhooks.js';
import type { Route } from './route.js';
import { ROUTES } from './routes.js';

export type * from './openapi/document.js';

export interface OpenApiOptions {
  /** The address before `/v1`, without a slash at its end; where the document itself stands when absent. */
  readonly server?: string;
}

/** The contract as an OpenAPI 3.1 document, made from the tables that serve it. */
export function openApiDocument({ server = '.' }: OpenApiOptions = {}): OpenApiDocument {
  const paths: Record<string, OpenApiDocument['paths'][string]> = {};
  for (const route of ROUTES) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method === 'GET' ? 'get' : 'post']: operationOf(route),
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
          description: 'The version the caller is written against; the first when absent.',
          schema: { type: 'string', enum: [...SERVED_VERSIONS] },
        },
      },
      schemas: schemas(),
    },
  };
}

function operationOf(route: Route): Operation {
  const name = `${route.method} ${route.path}`;
  const told = OPERATIONS[name];
  if (told === undefined) throw new TypeError(`${name} is not told of.`);
  const [operationId, summary] = told;
  return {
    operationId,
    summary,
    tags: [route.path.split('/')[2] ?? ''],
    parameters: [{ $ref: '#/components/parameters/Version' }, ...pathParameters(route), ...queryOf(route)],
    ...(route.body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: refTo(route.body), ...examplesOf(route.body) },
            },
          },
        }),
    responses: answersOf(route),
  };
}

function pathParameters({ path }: Route): Parameter[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [];
  const description = name === 'slug' ? 'The slug of the plan.' : 'The id.';
  return [{ name, in: 'path', required: true, description, schema: { type: 'string' } }];
}

/** What a query asks for by each of its names. */
const ASKED: Readonly<Record<string, string>> = {
  wallet:
    'Whom it is about, by wallet address. Name the customer by exactly one of wallet, external_id and email.',
  external_id: 'Whom it is about, by your own id of the customer, 1 to 255 characters.',
  email: 'Whom it is about, by email address, at most 254 characters.',
  plan: 'The slug of the one plan to tell of; every plan when absent.',
  attempts: 'Whether to tell the last five charges as well; false when absent.',
  limit: 'Items of a page, 1 to 100.',
  starting_after: 'The id of the last item of the previous page.',
  type: `Only events of this type. ${EVENTS_NOT_YET}`,
  subscription: 'Only events of the subscription with this id.',
};

function queryOf({ query }: Route): Parameter[] {
  const { properties = {}, required = [] } = inline(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: ASKED[name] ?? '',
    schema,
  }));
}
