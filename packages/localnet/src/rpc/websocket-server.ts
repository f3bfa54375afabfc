import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Localnet } from '../localnet.js';
import { dispatchText } from './dispatch.js';
import { writeJson } from '../json.js';
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
    // A message is a Buffer unless another `binaryType` is set.
    const text = (message as Buffer).toString('utf8');
    const response = dispatchText((method, params) => session.call(method, params), text);
    if (response !== null) socket.send(response);
  });
  socket.on('close', () => session.close());
  // A broken connection also closes, which ends its session.
  socket.on('error', () => socket.terminate());
}
