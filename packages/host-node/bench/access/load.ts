import { connect, type Socket } from 'node:net';

// Runs as a process of its own, so that asking costs the servers nothing: over a few kept connections each, one request
// after the other, with as little reading of the answers as tells where one ends and that it is a 200. Anything else ends
// the process with a message.

/** A round to run against a server on this machine. */
export interface Round {
  readonly port: number;
  readonly connections: number;
  /** Whole requests, as they go over the wire. */
  readonly requests: readonly string[];
}

/** What a round took: in all, and each request, in milliseconds. */
export interface Took {
  readonly ms: number;
  readonly each: readonly number[];
}

const kept = new Map<number, Socket[]>();

async function socketsTo(port: number, connections: number): Promise<Socket[]> {
  const known = kept.get(port);
  if (known !== undefined) return known;
  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => {
            resolve(socket);
          });
          socket.setNoDelay().setEncoding('latin1').once('error', reject);
        }),
    ),
  );
  kept.set(port, sockets);
  return sockets;
}

/** Whether a whole answer has come. Throws when it is anything but a 200. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`A server answered: ${answer}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  if (length === undefined) throw new Error('An answer came without its length.');
  return answer.length >= end + 4 + Number(length);
}

function ask(socket: Socket, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const gone = (): void => {
      reject(new Error('A server closed a connection before it had answered.'));
    };
    const read = (chunk: string): void => {
      answer += chunk;
      try {
        if (!isWhole(answer)) return;
        socket.off('data', read).off('close', gone);
        resolve();
      } catch (error) {
        reject(new Error('An answer was not as expected.', { cause: error }));
      }
    };
    socket.on('data', read).once('close', gone);
    socket.write(request);
  });
}

async function run({ port, connections, requests }: Round): Promise<Took> {
  const sockets = await socketsTo(port, connections);
  const each: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (;;) {
        const request = requests[next++];
        if (request === undefined) return;
        const asked = performance.now();
        await ask(socket, request);
        each.push(performance.now() - asked);
      }
    }),
  );
  return { ms: performance.now() - started, each };
}

/**
 * Never sleeps: to wake another process of the same machine is dear, and the server that answers would be charged for it,
 * though only one so slow that its client ran out of work.
 */
function stayAwake(): void {
  setImmediate(stayAwake);
}

process.once('disconnect', () => process.exit());
process.on('message', (round: Round) => {
  // What goes wrong is not caught: it ends the process, and whoever forked it sees that.
  void run(round).then((took) => process.send?.(took));
});
stayAwake();
