import { accessQueryOf, type AccessQuery } from './fill.js';

/** Makes the queries of customers picked at random, the same ones in every run. */
export function pickFrom(customers: number): () => AccessQuery {
  let state = 1n;
  return () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    return accessQueryOf(Number((state >> 32n) % BigInt(customers)));
  };
}

/** The whole text of an HTTP request that makes a query. */
export function requestFor({ key, externalId, slug }: AccessQuery): string {
  return [
    `GET /v1/access?external_id=${externalId}&plan=${slug} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Accept: application/json',
    '\r\n',
  ].join('\r\n');
}
