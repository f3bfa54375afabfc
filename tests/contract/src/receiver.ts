import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A delivery attempt, as it arrived. */
export interface Arrived {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How an endpoint answers. */
interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The integrator's webhook endpoints: every path is a separate endpoint. */
export interface Receiver {
  url(path: string): string;
  /** Everything that arrived at a path, oldest first. */
  at(path: string): readonly Arrived[];
  /** Sets how a path answers from now on; it answers 204 at first. */
  reply(path: string, reply: Reply): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const arrived: Arrived[] = [];
  const replies = new Map<string, Reply>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    void buffer(request).then((body) => {
      arrived.push({ path, headers: request.headers, body: body.toString('utf8') });
      const { status, headers } = replies.get(path) ?? { status: 204 };
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    at: (path) => arrived.filter((one) => one.path === path),
    reply: (path, reply) => void replies.set(path, reply),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
