import type { Change } from '../change.js';
import type { Localnet } from '../localnet.js';
import { callMethod } from './dispatch.js';
import type { Params } from './params.js';
import { RpcError } from './rpc-error.js';
import { TOPICS, type Watch } from './topics.js';

/** A message to the client that is not a response. */
export interface Notification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params: { readonly subscription: number; readonly result: unknown };
}

interface Subscription extends Watch {
  readonly topic: string;
}

/** The subscriptions of one connection, which also takes every plain method. */
export class Session {
  readonly #subscriptions = new Map<number, Subscription>();
  readonly #send: (notification: Notification) => void;
  readonly #stopListening: () => void;
  #nextId = 0;
  #lastSlot: bigint;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    readonly chain: Localnet,
    send: (notification: Notification) => void,
  ) {
    this.#send = send;
    this.#lastSlot = chain.clock.slot;
    this.#stopListening = chain.onChange((change) => this.#onChange(change));
  }

  /** Subscribes, unsubscribes, or calls a plain method. @throws {RpcError} to respond with an error */
  call(method: string, params: Params): unknown {
    if (method.endsWith('Unsubscribe')) return this.#unsubscribe(method, params);
    if (!method.endsWith('Subscribe')) return callMethod(this.chain, method, params);
    const topic = method.slice(0, -'Subscribe'.length);
    const subscribe = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
    if (subscribe === undefined) throw new RpcError('methodNotFound', `Method not found: ${method}`);
    const id = this.#nextId++;
    const push = (result: unknown): void =>
      this.#send({ jsonrpc: '2.0', method: `${topic}Notification`, params: { subscription: id, result } });
    const end = (): void => void this.#subscriptions.delete(id);
    this.#subscriptions.set(id, { topic, ...subscribe(this.chain, params, push, end) });
    this.#waitForSlot();
    // A condition that is met already is notified after the response, which names the subscription.
    queueMicrotask(() => this.#subscriptions.get(id)?.onSlot());
    return id;
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#stopListening();
    this.#subscriptions.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #unsubscribe(method: string, params: Params): true {
    const id = Number(params.at(0, 'subscription').u64());
    const topic = method.slice(0, -'Unsubscribe'.length);
    if (this.#subscriptions.get(id)?.topic !== topic) {
      throw new RpcError('invalidParams', 'Invalid subscription id.');
    }
    this.#subscriptions.delete(id);
    return true;
  }

  #onChange(change: Change): void {
    for (const subscription of [...this.#subscriptions.values()]) subscription.onChange(change);
    this.#onSlot();
    this.#waitForSlot();
  }

  #onSlot(): void {
    const { slot } = this.chain.clock;
    if (slot === this.#lastSlot) return;
    this.#lastSlot = slot;
    for (const subscription of [...this.#subscriptions.values()]) subscription.onSlot();
  }

  /** Waits for the next slot of a running clock, as long as there are subscriptions. */
  #waitForSlot(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.chain.clock.running || this.#subscriptions.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#onSlot();
      this.#waitForSlot();
    }, this.chain.clock.msToNextSlot);
    this.#timer.unref();
  }
}
