import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocketServer } from 'ws';
import type { Localnet } from '../localnet.js';
import { createHttpServer } from './http-server.js';
import { createWebSocketServer } from './websocket-server.js';

/** The address of a served chain. */
export interface ServeOptions {
  /** The address to listen on. Default 127.0.0.1, which only this machine can reach. */
  readonly host?: string;
  /** The port for HTTP. Default 8899; 0 takes any free port. WebSockets are served on the next port. */
  readonly port?: number;
}

/** A chain that is being served. */
export interface ServedLocalnet {
  /** The URL of JSON-RPC over HTTP, such as `http://127.0.0.1:8899`. */
  readonly url: string;
  /** The URL of JSON-RPC and notifications over WebSocket, such as `ws://127.0.0.1:8900`. */
  readonly webSocketUrl: string;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8899;

/**
 * Serves the JSON-RPC over HTTP, and notifications over WebSocket on the next port; with port 0 see
 * `webSocketUrl`.
 * @throws {Error} of Node, `EADDRINUSE`, when a port is taken; nothing listens then
 */
export async function serveLocalnet(chain: Localnet, options: ServeOptions = {}): Promise<ServedLocalnet> {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options;
  const http = createHttpServer(chain).listen(port, host);
  await once(http, 'listening');
  const { port: httpPort } = http.address() as AddressInfo;
  try {
    const webSocket = await listenForWebSockets(chain, host, httpPort + 1, port === 0);
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

async function listenForWebSockets(
  chain: Localnet,
  host: string,
  port: number,
  fallBackToAnyPort: boolean,
): Promise<WebSocketServer> {
  try {
    const server = createWebSocketServer(chain, host, port);
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (!fallBackToAnyPort) throw error;
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
