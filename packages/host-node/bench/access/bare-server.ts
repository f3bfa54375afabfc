import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccessQuery } from './fill.js';

/** A server that does nothing but send the same answer. */
export interface BareServer {
  readonly port: number;
  close(): void;
}

/** Starts a bare server that sends one recorded answer of the service on `port`. */
export async function startBareServer(
  port: number,
  { key, externalId, slug }: AccessQuery,
): Promise<BareServer> {
  const request = get({
    port,
    path: `/v1/access?external_id=${externalId}&plan=${slug}`,
    headers: { authorization: `Bearer ${key}` },
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray()).toString();
  if (answer.statusCode !== 200) throw new Error(`The service answered: ${body}`);
  // node:http adds these headers to the bare answer too.
  const { date: _date, connection: _connection, 'keep-alive': _kept, ...headers } = answer.headers;
  const server = createServer((_, outgoing) => {
    outgoing.writeHead(200, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
