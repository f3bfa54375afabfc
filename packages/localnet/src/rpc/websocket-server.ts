import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Localnet } from '../localnet.js';
import { dispatchTo, parseFailure } from './dispatch.js';
import { parseJson, writeJson } from '../json.js';
import { Session } from './notifications.js';

const MESSAGE_LIMIT = 1024 * 1024;

/** Serves notifications, and every plain method too. Listens at once; the caller waits for its `listening`. */
export function createWebSocketServer(chain: Localnet, host: string, port: number): WebSocketServer {
  const server = new WebSocketServer({ host, port, maxPayload: MESSAGE_LIMIT });
  server.on('connection', (socket) => serve(chain, socket));
  return server;
}

function serve(chain: Localnet, socket: WebSocket): void {
  const session = new Session(chain, (notification) => socket.send(writeJson(notification)));
  socket.on('message', (message: RawData) => {
    const answer = answerTo(session, textOf(message));
    if (answer !== null) socket.send(writeJson(answer));
  });
  socket.on('close', () => session.close());
  // A broken connection closes as well, which is all there is to do about it.
  socket.on('error', () => socket.terminate());
}

function answerTo(session: Session, text: string): unknown {
  let request: unknown;
  try {
    request = parseJson(text);
  } catch {
    return parseFailure();
  }
  return dispatchTo((method, params) => session.answer(method, params), request);
}

function textOf(message: RawData): string {
  if (Array.isArray(message)) return Buffer.concat(message).toString('utf8');
  return Buffer.from(message as Buffer).toString('utf8');
}
