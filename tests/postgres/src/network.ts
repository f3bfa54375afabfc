import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between a store and its server that a test can break. */
export interface Network {
  /** The address of the database through this network. */
  readonly url: string;
  /** Cuts every connection, as a router that starts again does. */
  readonly cut: () => void;
  /** Cuts a connection at the server's `nth` answer with this text from now, and keeps that answer back. */
  readonly cutAtAnswer: (text: string, nth?: number) => void;
  /**
   * Cuts the connection over which clients send the `nth` packet from now, after it was sent on, and keeps
   * the answer back. A statement takes one packet, a long one more; those that begin a connection count too.
   */
  readonly cutAfterStatement: (nth: number) => void;
  /** Forgets a cut that was asked for and has not come. */
  readonly cutNoMore: () => void;
  /** How many connections were cut at an answer or after a statement. */
  readonly answersCut: () => number;
  /** Leads new connections to the server of another database, as an address that moves to a standby does. */
  readonly leadTo: (url: string) => void;
  /** Swallows everything in both directions from now on, as a network without a route does. */
  readonly silence: () => void;
  readonly close: () => Promise<void>;
}

/** Opens a network in front of the server of a database. */
export async function openNetwork(url: string): Promise<Network> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let answersLeft = { text: '', number: Infinity };
  let statementsLeft = Infinity;
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
    let cutOff = false;
    const cutOffAnswer = () => {
      cutOff = true;
      answersCut++;
    };
    client.on('data', (data) => {
      if (silent || cutOff) return;
      if (--statementsLeft === 0) {
        cutOffAnswer();
        upstream.write(data, () => client.destroy());
      } else {
        upstream.write(data);
      }
    });
    upstream.on('data', (data) => {
      if (data.includes(answersLeft.text) && --answersLeft.number === 0) {
        cutOffAnswer();
        client.destroy();
      } else if (!silent && !cutOff) {
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
    cutAtAnswer(text, nth = 1) {
      answersLeft = { text, number: nth };
    },
    cutAfterStatement(nth) {
      statementsLeft = nth;
    },
    cutNoMore() {
      answersLeft = { text: '', number: Infinity };
      statementsLeft = Infinity;
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
