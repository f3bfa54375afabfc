import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FakeRequest, FakeResponse } from '@subrail/core/testing';

/** A server on this machine that treats every request in one way, which may be a bad one. */
interface MisbehavingEndpoint {
  /** Its base address, `http://127.0.0.1:<port>`. It does not speak TLS. */
  readonly url: string;
  /** Every request that it received so far, in the order in which their bodies ended. */
  readonly requests: readonly FakeRequest[];
  /** An address on this machine where nothing listens. */
  readonly deadUrl: string;
  /** How many connections were opened so far. */
  connections(): number;
  /** Cuts all connections and stops the server. */
  close(): Promise<void>;
}

/**
 * Opens a server on 127.0.0.1 that gives every request the same response and records it, as
 * `httpSenderConformance` of `@subrail/core/testing` asks. Authors of a sender copy this file, which imports
 * only Node and types of the kit. Rejects when no port is free.
 */
export async function openMisbehavingEndpoint(response: FakeResponse): Promise<MisbehavingEndpoint> {
  const requests: FakeRequest[] = [];
  const server = createServer((request, outgoing) => {
    receive(request).then(
      (received) => {
        requests.push(received);
        respond(response, outgoing, request.socket);
      },
      // The sender closed the connection before it had sent the whole request, so it reads no response.
      () => request.socket.destroy(),
    );
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    deadUrl: await deadUrl(),
    connections: () => connections,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A URL of this machine where nothing listens any more. */
async function deadUrl(): Promise<string> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

async function receive(request: IncomingMessage): Promise<FakeRequest> {
  const headers = Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(', ') ?? '']),
  );
  return { method: request.method ?? '', path: request.url ?? '', headers, body: await text(request) };
}

/** How often a dripping response sends another letter: far more often than any timeout for silence. */
const DRIP_MS = 20;

function respond(response: FakeResponse, outgoing: ServerResponse, socket: Socket): void {
  switch (response.kind) {
    case 'answers':
      outgoing.writeHead(response.status, response.headers).end(response.body);
      return;
    case 'late': {
      const late = setTimeout(() => outgoing.writeHead(response.status).end(), response.afterMs);
      socket.once('close', () => clearTimeout(late));
      return;
    }
    case 'silent':
      return;
    case 'stalls':
      outgoing.writeHead(response.status).write('x');
      return;
    case 'trickles': {
      outgoing.writeHead(response.status);
      const trickle = setInterval(() => outgoing.write('x'), DRIP_MS);
      socket.once('close', () => clearInterval(trickle));
      return;
    }
    case 'endless': {
      outgoing.writeHead(response.status);
      const more = () => {
        while (outgoing.write('x'.repeat(65_536)));
      };
      outgoing.on('drain', more);
      more();
      return;
    }
    case 'drips': {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const drip = setInterval(() => socket.write('x'), DRIP_MS);
      socket.once('close', () => clearInterval(drip));
      return;
    }
    case 'breaks_off':
      outgoing.writeHead(response.status, { 'content-length': '1000' }).write('x', () => socket.destroy());
      return;
    case 'garbage':
      socket.end('220 This is no HTTP server.\r\n');
      return;
    case 'hangs_up':
      outgoing.destroy();
      return;
    case 'resets':
      socket.resetAndDestroy();
  }
}
