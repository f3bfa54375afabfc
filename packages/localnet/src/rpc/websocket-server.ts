import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Localnet } from '../localnet.js';
import { dispatchTo, parseFailure } from './dispatch.js';
import { parseJson, writeJson } from '../json.js';
import { Session } from './notifications.js';

const MESSAGE_LIMIT = 1024 * 1024;

/** Creates the WebSocket server, which has subscriptions and every plain method. Wait for `listening`. */
export function createWebSocketServer(chain: Localnet, host: string, port: number): WebSocketServer {
  const server = new WebSocketServer({ host, port, maxPayload: MESSAGE_LIMIT });
  server.on('connection', (socket) => serve(chain, socket));
  return server;
}

function serve(chain: Localnet, socket: WebSocket): void {
  const session = new Session(chain, (notification) => socket.send(writeJson(notification)));
  socket.on('message', (message: RawData) => {
    const response = responseTo(session, textOf(message));
    if (response !== null) socket.send(writeJson(response));
  });
  socket.on('close', () => session.close());
  // A broken connection also closes, which ends its session.
  socket.on('error', () => socket.terminate());
}

function responseTo(session: Session, text: string): unknown {
  let request: unknown;
  try {
    request = parseJson(text);
  } catch {
    return parseFailure();
  }
  return dispatchTo((method, params) => session.call(method, params), request);
}

function textOf(message: RawData): string {
  if (Array.isArray(message)) return Buffer.concat(message).toString('utf8');
  return Buffer.from(message as Buffer).toString('utf8');
}
