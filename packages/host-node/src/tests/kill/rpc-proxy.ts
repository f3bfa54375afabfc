import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Calls of one method that the proxy holds back. */
interface Hold {
  /** Resolves with the parameters of the first call that is held back. */
  readonly reached: Promise<readonly unknown[]>;
  /** Holds back no more calls. Held calls are never answered, because their caller was killed. */
  lift(): void;
}

/** A proxy between the service and its chain, with which a test can stop the service at one call. */
export interface RpcProxy {
  readonly url: string;
  /**
   * Holds back the calls of a method before they reach the chain, or the chain's answers before they reach
   * the caller.
   */
  hold(method: string, where: 'call' | 'answer'): Hold;
  /** Resolves when `count` more calls of a method have been answered. */
  answered(method: string, count: number): Promise<void>;
  close(): Promise<void>;
}

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** @param delayMs for how long each call takes at least */
export async function startRpcProxy(upstream: string, delayMs: () => number = () => 0): Promise<RpcProxy> {
  const holds = new Map<string, { where: 'call' | 'answer'; reach: (params: readonly unknown[]) => void }>();
  const waiters = new Set<{ method: string; left: number; done: () => void }>();

  function holdsBack({ method, params }: Call, where: 'call' | 'answer'): boolean {
    const hold = holds.get(method);
    if (hold?.where !== where) return false;
    hold.reach(params);
    return true;
  }

  function countAnswer(method: string): void {
    for (const waiter of waiters) {
      if (waiter.method === method) waiter.left -= 1;
      if (waiter.left <= 0) {
        waiters.delete(waiter);
        waiter.done();
      }
    }
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const call = JSON.parse(body) as Call;
    if (holdsBack(call, 'call')) return;
    await pause(delayMs());
    const answer = await fetch(upstream, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const answerBody = await answer.text();
    if (holdsBack(call, 'answer')) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answerBody);
    countAnswer(call.method);
  }

  const server = createServer((request, response) => {
    // A caller that was killed while sending its request gets no answer.
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(method, where) {
      let reach: (params: readonly unknown[]) => void = () => {};
      const reached = new Promise<readonly unknown[]>((resolve) => (reach = resolve));
      holds.set(method, { where, reach });
      return { reached, lift: () => void holds.delete(method) };
    },
    answered: (method, left) =>
      new Promise((done) => {
        waiters.add({ method, left, done });
      }),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
