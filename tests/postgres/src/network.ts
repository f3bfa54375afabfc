import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between a store and its server that a test can break. */
export interface Network {
  /** The address of the database through this network. */
  readonly url: string;
  /** Cuts every connection, as a router that starts again does. */
  readonly cut: () => void;
  /** Cuts a connection once the server answers something with this text, and keeps the answer back. */
  readonly cutAtAnswer: (text: string) => void;
  /** How many answers were kept back so. */
  readonly answersCut: () => number;
  /** Lets new connections reach the server of another database, as an address that moves to a standby does. */
  readonly leadTo: (url: string) => void;
  /** Swallows everything in both directions from now on, as a network without a route does. */
  readonly silence: () => void;
  readonly close: () => Promise<void>;
}

/** Opens a network in front of the server of a database. */
export async function openNetwork(url: string): Promise<Network> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let cutAt: string | null = null;
  let silent = false;
  let answersCut = 0;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      if (!silent) upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (cutAt !== null && data.includes(cutAt)) {
        cutAt = null;
        answersCut++;
        client.destroy();
      } else if (!silent) {
        client.write(data);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    cut,
    answersCut: () => answersCut,
    cutAtAnswer(text) {
      cutAt = text;
    },
    leadTo(other) {
      target = new URL(other);
      cut();
    },
    silence() {
      silent = true;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
