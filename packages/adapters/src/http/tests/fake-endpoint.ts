import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createSocketServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FakeResponse, FakeRequest } from '@subrail/core/testing';

/** Opens a server on this machine that responds to every request in the same way, and records each request. */
export async function openFakeEndpoint(answer: FakeResponse) {
  const requests: FakeRequest[] = [];
  const server = createServer((request, response) => {
    void receive(request).then((received) => {
      requests.push(received);
      respond(answer, response);
    });
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Connections opened so far. */
    connections: () => connections,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns a URL of this machine where nothing listens any more. */
export async function deadUrl(): Promise<string> {
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

function respond(answer: FakeResponse, response: ServerResponse): void {
  switch (answer.kind) {
    case 'answers':
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    case 'silent':
      return;
    case 'stalls':
      response.writeHead(answer.status).write('x');
      return;
    case 'endless': {
      response.writeHead(answer.status);
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
      return;
    }
    case 'hangs_up':
      response.destroy();
  }
}
