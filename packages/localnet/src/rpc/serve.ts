import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocketServer } from 'ws';
import type { Localnet } from '../localnet.js';
import { createHttpServer } from './http-server.js';
import { createWebSocketServer } from './websocket-server.js';

export interface ServeOptions {
  /** Default 127.0.0.1: nobody but this machine. */
  readonly host?: string;
  /** Default 8899; 0 takes any that is free. WebSockets are served on the next one. */
  readonly port?: number;
}

export interface ServedLocalnet {
  /** Where JSON-RPC is answered: `http://127.0.0.1:8899`. */
  readonly url: string;
  /** Where notifications are had: `ws://127.0.0.1:8900`. */
  readonly webSocketUrl: string;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8899;

/**
 * Serves the chain's JSON-RPC over HTTP, and its notifications over WebSocket on the next port, as validators do.
 * When the port was left to chance and the next one is taken, notifications get any other: read `webSocketUrl`.
 * @throws when a port is taken
 */
export async function serveLocalnet(chain: Localnet, options: ServeOptions = {}): Promise<ServedLocalnet> {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options;
  const http = createHttpServer(chain).listen(port, host);
  await once(http, 'listening');
  const { port: httpPort } = http.address() as AddressInfo;
  try {
    const webSocket = await listenBeside(chain, host, httpPort + 1, port === 0);
    const { port: webSocketPort } = webSocket.address() as AddressInfo;
    const authority = host.includes(':') ? `[${host}]` : host;
    return {
      url: `http://${authority}:${httpPort}`,
      webSocketUrl: `ws://${authority}:${webSocketPort}`,
      close: async () => {
        await Promise.all([closeWebSocket(webSocket), closeHttp(http)]);
      },
    };
  } catch (error) {
    await closeHttp(http);
    throw error;
  }
}

async function listenBeside(
  chain: Localnet,
  host: string,
  port: number,
  anyOther: boolean,
): Promise<WebSocketServer> {
  try {
    const server = createWebSocketServer(chain, host, port);
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (!anyOther) throw error;
    const server = createWebSocketServer(chain, host, 0);
    await once(server, 'listening');
    return server;
  }
}

async function closeWebSocket(server: WebSocketServer): Promise<void> {
  for (const socket of server.clients) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
}

async function closeHttp(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
