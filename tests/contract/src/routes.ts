import { getBase58Decoder } from '@solana/kit';
import { openApiDocument, type JsonSchema } from '@subrail/core';
import type { RawRequest } from './client.js';

/** A route of the document, with a valid call of it for an id, a slug or a wallet that does not exist. */
export interface RouteCall {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: object | null;
  /** How many calls a minute the route allows. */
  readonly rate: number;
}

const ID = 'sub_000000000000000000000000';
const WALLET = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
/** A signature: base58 of 64 bytes. */
export const SIGNATURE = getBase58Decoder().decode(new Uint8Array(64).fill(7));

const BODIES: Readonly<Record<string, object>> = {
  CreateRequest: { plan: 'nothing', wallet: WALLET },
  SubmitRequest: { transaction: 'AAAA', terms_signature: SIGNATURE },
  ConfirmRequest: { signature: SIGNATURE },
};

function bodyOf(schema: JsonSchema | undefined): object | null {
  return BODIES[schema?.$ref?.split('/').at(-1) ?? ''] ?? null;
}

/** Every route, in the order of the document. */
const ROUTES: readonly RouteCall[] = Object.entries(openApiDocument().paths).flatMap(([pattern, verbs]) =>
  Object.entries(verbs).map(([verb, { requestBody }]) => {
    const method = verb === 'get' ? 'GET' : 'POST';
    const path = pattern.replace('{id}', ID).replace('{slug}', 'nothing');
    const needsCustomer = pattern === '/v1/access' || (pattern === '/v1/subscriptions' && method === 'GET');
    return {
      name: `${method} ${pattern}`,
      method,
      path: needsCustomer ? `${path}?wallet=${WALLET}` : path,
      body: bodyOf(requestBody?.content['application/json']?.schema),
      rate: method === 'GET' ? 1_000 : 60,
    };
  }),
);

/** The same routes, as rows of `it.each`. */
export const EVERY_ROUTE = ROUTES.map((route) => [route.name, route] as const);

/** The valid call of a route, with additional headers. */
export function requestOf(
  { method, path, body }: RouteCall,
  headers: Record<string, string> = {},
): RawRequest {
  return {
    method,
    path,
    headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  };
}
