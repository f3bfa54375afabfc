import type { Address } from '@solana/kit';
import type { Change } from '../change.js';
import type { LandedTransaction } from '../history.js';
import type { Localnet } from '../localnet.js';
import { API_VERSION, hasReached, readCommitment, slotAt, type Commitment } from './commitment.js';
import { callMethod } from './dispatch.js';
import { encodeAccount, readAccountEncoding } from './encoding/account.js';
import { readFilters } from './methods/account-filters.js';
import type { Param, Params } from './params.js';
import { RpcError } from './rpc-error.js';

/** What goes over a connection unasked. */
export interface Notification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params: { readonly subscription: number; readonly result: unknown };
}

interface Subscription {
  /** Its part in what happens, in the words of the method: `slot` for `slotSubscribe` and `slotNotification`. */
  readonly topic: string;
  readonly onChange: (change: Change) => void;
  /** Called when a new slot began, however it came about. */
  readonly onSlot: () => void;
}

type Push = (result: unknown) => void;
type Subscribe = (
  session: Session,
  params: Params,
  push: Push,
  end: () => void,
) => Omit<Subscription, 'topic'>;

const NOTHING = (): void => undefined;

/** One connection's subscriptions. It also answers every method a plain request may call. */
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

  /** @throws {RpcError} */
  answer(method: string, params: Params): unknown {
    if (method.endsWith('Unsubscribe')) return this.#unsubscribe(method, params);
    if (!method.endsWith('Subscribe')) return callMethod(this.chain, method, params);
    const topic = method.slice(0, -'Subscribe'.length);
    const subscribe = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
    if (subscribe === undefined) throw new RpcError('methodNotFound', `Method not found: ${method}`);
    const id = this.#nextId++;
    const push = (result: unknown): void =>
      this.#send({ jsonrpc: '2.0', method: `${topic}Notification`, params: { subscription: id, result } });
    const end = (): void => void this.#subscriptions.delete(id);
    this.#subscriptions.set(id, { topic, ...subscribe(this, params, push, end) });
    this.#waitForSlot();
    // What is true already is told right after the answer that names the subscription.
    queueMicrotask(() => this.#subscriptions.get(id)?.onSlot());
    return id;
  }

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
    if (change.kind !== 'clock') return;
    this.#onSlot();
    this.#waitForSlot();
  }

  #onSlot(): void {
    const { slot } = this.chain.clock;
    if (slot === this.#lastSlot) return;
    this.#lastSlot = slot;
    for (const subscription of [...this.#subscriptions.values()]) subscription.onSlot();
  }

  /** A clock that runs has to be looked at, but only while somebody wants to know. */
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

const TOPICS: Readonly<Record<string, Subscribe>> = {
  slot: ({ chain }, _, push) => {
    let told = chain.clock.slot;
    return {
      onChange: NOTHING,
      onSlot: () => {
        const { slot } = chain.clock;
        if (slot === told) return;
        told = slot;
        push({ slot, parent: slot - 1n, root: slotAt(chain, 'finalized') });
      },
    };
  },
  root: ({ chain }, _, push) => {
    let told = slotAt(chain, 'finalized');
    return {
      onChange: NOTHING,
      onSlot: () => {
        const root = slotAt(chain, 'finalized');
        if (root !== told) push((told = root));
      },
    };
  },
  signature: ({ chain }, params, push, end) => {
    const signature = params.at(0, 'signature').signature();
    const commitment = readCommitment(params.at(1, 'config'));
    const tell = (): void => {
      const landed = chain.history.find(signature);
      if (landed === undefined || !hasReached(chain, landed.slot, commitment)) return;
      end();
      push(withContext(chain, { err: landed.processed.error }));
    };
    return { onChange: tell, onSlot: tell };
  },
  account: ({ chain }, params, push) => {
    const address = params.at(0, 'pubkey').address();
    const encoding = readAccountEncoding(params.at(1, 'config'));
    return whenTouched(chain, params.at(1, 'config'), (touched) => {
      if (!touched.includes(address)) return;
      const { accounts } = chain;
      // An account that went away is told as the empty one it now is.
      const account = accounts.find(address) ?? EMPTY_ACCOUNT;
      push(
        withContext(
          chain,
          encodeAccount(account, encoding, (mint) => accounts.find(mint)),
        ),
      );
    });
  },
  program: ({ chain }, params, push) => {
    const program = params.at(0, 'programId').address();
    const config = params.at(1, 'config');
    const encoding = readAccountEncoding(config);
    const matches = readFilters(config.member('filters'));
    return whenTouched(chain, config, (touched) => {
      const { accounts } = chain;
      for (const pubkey of touched) {
        const account = accounts.find(pubkey);
        if (account?.owner !== program || !matches(account.data)) continue;
        push(
          withContext(chain, {
            pubkey,
            account: encodeAccount(account, encoding, (mint) => accounts.find(mint)),
          }),
        );
      }
    });
  },
  logs: ({ chain }, params, push) => {
    const mentions = readMentions(params.at(0, 'filter'));
    return whenReached(chain, readCommitment(params.at(1, 'config')), (change) => {
      if (change.kind !== 'landed' || !mentions(change.landed)) return;
      const { transaction, processed } = change.landed;
      push(
        withContext(chain, { signature: transaction.signature, err: processed.error, logs: processed.logs }),
      );
    });
  },
};

const EMPTY_ACCOUNT = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: '11111111111111111111111111111111' as Address,
  executable: false,
};

function withContext(chain: Localnet, value: unknown): unknown {
  return { context: { slot: chain.clock.slot, apiVersion: API_VERSION }, value };
}

/** Tells of changes to accounts once they have reached a commitment. */
function whenTouched(
  chain: Localnet,
  config: Param,
  tell: (touched: readonly Address[]) => void,
): Omit<Subscription, 'topic'> {
  return whenReached(chain, readCommitment(config), (change) => {
    if (change.kind !== 'clock') tell(change.touched);
  });
}

function whenReached(
  chain: Localnet,
  commitment: Commitment,
  tell: (change: Change) => void,
): Omit<Subscription, 'topic'> {
  const waiting: { readonly slot: bigint; readonly change: Change }[] = [];
  const tellReached = (): void => {
    while (waiting[0] !== undefined && hasReached(chain, waiting[0].slot, commitment)) {
      const [next] = waiting.splice(0, 1);
      if (next !== undefined) tell(next.change);
    }
  };
  return {
    onChange: (change) => {
      if (change.kind === 'clock') return;
      waiting.push({ slot: chain.clock.slot, change });
      tellReached();
    },
    onSlot: tellReached,
  };
}

/** `"all"`, `"allWithVotes"`, or `{ mentions: [address] }`. */
function readMentions(filter: Param): (landed: LandedTransaction) => boolean {
  if (typeof filter.value === 'string') {
    filter.oneOf(['all', 'allWithVotes']);
    return () => true;
  }
  const [mentioned, ...more] = filter.member('mentions').list(1);
  if (mentioned === undefined || more.length > 0) throw filter.wrong('a list of one address');
  const address = mentioned.address();
  return ({ transaction }) => transaction.accounts.some((meta) => meta.address === address);
}
