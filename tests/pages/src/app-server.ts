import { createCustomerHandler, type Billing } from '@subrail/core';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/** The server of an app: its pages, and the routes of the customers who are logged in. */
export interface AppServer {
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Serves the pages of a folder. Its log-in is the cookie `customer`, which has the customer's id. */
export async function serveApp(billing: Billing, project: string, folder: string): Promise<AppServer> {
  const customers = createCustomerHandler(billing, {
    project,
    plans: ['pro'],
    customer: ({ headers }) => /(?:^|; )customer=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? null,
  });

  async function respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/api/billing/')) return customers(request);
    const file = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const content = await readFile(join(folder, file)).catch(() => null);
    if (content === null) return new Response(null, { status: 404 });
    return new Response(content, { headers: { 'content-type': TYPES[extname(file)] ?? 'text/css' } });
  }

  const server = createServer((incoming, outgoing) => {
    toRequest(incoming)
      .then(respond)
      .then((response) => send(response, outgoing))
      .catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming;
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const given = Object.entries(headers).filter((header): header is [string, string] => {
    const [, value] = header;
    return typeof value === 'string';
  });
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: given,
    body: method === 'GET' ? null : Buffer.concat(chunks),
  });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
