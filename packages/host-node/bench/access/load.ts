import { connect, type Socket } from 'node:net';

// The client of the bench over HTTP, in a process of its own, so that sending costs the servers nothing. Each
// of a few connections sends one request after the other. Of an answer only status and end are parsed; a
// status other than 200 ends the process with an error.

/** A round of requests to a server on this machine. */
export interface Round {
  readonly port: number;
  readonly connections: number;
  /** Complete HTTP requests, as text. */
  readonly requests: readonly string[];
}

/** The milliseconds of a round, and of each call. */
export interface RoundTimes {
  readonly ms: number;
  readonly each: readonly number[];
}

const connected = new Map<number, Socket[]>();

async function socketsTo(port: number, connections: number): Promise<Socket[]> {
  const known = connected.get(port);
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
  connected.set(port, sockets);
  // Another server may get the port of one that closed.
  for (const socket of sockets) socket.once('close', () => connected.delete(port));
  return sockets;
}

/** Whether the answer is complete. Throws when its status is not 200. */
function isComplete(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`A server answered: ${answer}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  if (length === undefined) throw new Error('An answer has no Content-Length.');
  return answer.length >= end + 4 + Number(length);
}

function send(socket: Socket, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const onClose = (): void => {
      reject(new Error('A server closed a connection before it answered.'));
    };
    const onData = (chunk: string): void => {
      answer += chunk;
      try {
        if (!isComplete(answer)) return;
        socket.off('data', onData).off('close', onClose);
        resolve();
      } catch (error) {
        reject(new Error('An answer is not a complete 200.', { cause: error }));
      }
    };
    socket.on('data', onData).once('close', onClose);
    socket.write(request);
  });
}

async function run({ port, connections, requests }: Round): Promise<RoundTimes> {
  const sockets = await socketsTo(port, connections);
  const each: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (;;) {
        const request = requests[next++];
        if (request === undefined) return;
        const sentAt = performance.now();
        await send(socket, request);
        each.push(performance.now() - sentAt);
      }
    }),
  );
  return { ms: performance.now() - started, each };
}

/**
 * Keeps the event loop busy. Waking a sleeping process is expensive, and the cost would count against the
 * server that answers it, but only against a server so slow that its client has nothing else to do.
 */
function stayAwake(): void {
  setImmediate(stayAwake);
}

process.once('disconnect', () => process.exit());
process.on('message', (round: Round) => {
  // A failure is not caught: it ends the process, and the parent reports that.
  void run(round).then((took) => process.send?.(took));
});
stayAwake();
