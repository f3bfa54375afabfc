import type { Change } from '../change.js';
import type { LandedTransaction } from '../history.js';
import type { Localnet } from '../localnet.js';
import { EMPTY_ACCOUNT } from '../runtime/account-store.js';
import { API_VERSION, hasReached, readCommitment, slotAt, type Commitment } from './commitment.js';
import { encodeAccount, readAccountEncoding } from './encoding/account.js';
import { readFilters } from './methods/account-filters.js';
import type { Param, Params } from './params.js';

/** The reactions of a subscription to the chain. */
export interface Watch {
  /** Called after every change of the chain. */
  readonly onChange: (change: Change) => void;
  /** Called when a new slot has begun, by time or by a jump, and once right after subscribing. */
  readonly onSlot: () => void;
}

/**
 * Starts a subscription. `push` sends a notification, `end` ends the subscription.
 * @throws {RpcError} for invalid parameters
 */
type Subscribe = (chain: Localnet, params: Params, push: (result: unknown) => void, end: () => void) => Watch;

type AccountChange = Exclude<Change, { readonly kind: 'clock' }>;

const DO_NOTHING = (): void => undefined;

/** The topics of subscriptions by name: `slot` for `slotSubscribe` and `slotNotification`. */
export const TOPICS: Readonly<Record<string, Subscribe>> = {
  slot: (chain, _, push) => {
    let lastSent = chain.clock.slot;
    return {
      onChange: DO_NOTHING,
      onSlot: () => {
        const { slot } = chain.clock;
        if (slot === lastSent) return;
        lastSent = slot;
        push({ slot, parent: slot - 1n, root: slotAt(chain, 'finalized') });
      },
    };
  },
  root: (chain, _, push) => {
    let lastSent = slotAt(chain, 'finalized');
    return {
      onChange: DO_NOTHING,
      onSlot: () => {
        const root = slotAt(chain, 'finalized');
        if (root !== lastSent) push((lastSent = root));
      },
    };
  },
  signature: (chain, params, push, end) => {
    const signature = params.at(0, 'signature').signature();
    const config = params.at(1, 'config');
    const commitment = readCommitment(config);
    let tellsReceived = config.member('enableReceivedNotification').flag();
    const notify = (): void => {
      const landed = chain.history.find(signature);
      if (landed === undefined) return;
      if (tellsReceived) push(withContext(chain, 'processed', 'receivedSignature'));
      tellsReceived = false;
      if (!hasReached(chain, landed.slot, commitment)) return;
      end();
      push(withContext(chain, commitment, { err: landed.processed.error }));
    };
    return { onChange: notify, onSlot: notify };
  },
  account: (chain, params, push) => {
    const address = params.at(0, 'pubkey').address();
    const config = params.at(1, 'config');
    const encoding = readAccountEncoding(config);
    const commitment = readCommitment(config);
    return whenReached(chain, commitment, ({ touched }) => {
      if (!touched.includes(address)) return;
      const { accounts } = chain;
      // For an account that no longer exists, the notification has an empty one.
      const account = accounts.find(address) ?? EMPTY_ACCOUNT;
      push(withContext(chain, commitment, encodeAccount(account, encoding, accounts)));
    });
  },
  program: (chain, params, push) => {
    const program = params.at(0, 'programId').address();
    const config = params.at(1, 'config');
    const encoding = readAccountEncoding(config);
    const matches = readFilters(config.member('filters'));
    const commitment = readCommitment(config);
    return whenReached(chain, commitment, ({ touched }) => {
      const { accounts } = chain;
      for (const pubkey of touched) {
        const account = accounts.find(pubkey);
        if (account?.owner !== program || !matches(account)) continue;
        push(withContext(chain, commitment, { pubkey, account: encodeAccount(account, encoding, accounts) }));
      }
    });
  },
  logs: (chain, params, push) => {
    const mentions = readMentions(params.at(0, 'filter'));
    const commitment = readCommitment(params.at(1, 'config'));
    return whenReached(chain, commitment, (change) => {
      if (change.kind !== 'landed' || !mentions(change.landed)) return;
      const { transaction, processed } = change.landed;
      const { error: err, logs } = processed;
      push(withContext(chain, commitment, { signature: transaction.signature, err, logs }));
    });
  },
};

function withContext(chain: Localnet, commitment: Commitment, value: unknown): unknown {
  return { context: { slot: slotAt(chain, commitment), apiVersion: API_VERSION }, value };
}

/** Notifies of changes once they have reached a commitment. */
function whenReached(
  chain: Localnet,
  commitment: Commitment,
  notify: (change: AccountChange) => void,
): Watch {
  const waiting: { readonly slot: bigint; readonly change: AccountChange }[] = [];
  const notifyReached = (): void => {
    while (waiting[0] !== undefined && hasReached(chain, waiting[0].slot, commitment)) {
      const [next] = waiting.splice(0, 1);
      if (next !== undefined) notify(next.change);
    }
  };
  return {
    onChange: (change) => {
      if (change.kind === 'clock') return;
      waiting.push({ slot: change.kind === 'landed' ? change.landed.slot : change.slot, change });
      notifyReached();
    },
    onSlot: notifyReached,
  };
}

/** Reads the filter of `logsSubscribe`: `"all"`, `"allWithVotes"`, or `{ mentions: [address] }`. */
function readMentions(filter: Param): (landed: LandedTransaction) => boolean {
  if (typeof filter.value === 'string') {
    filter.oneOf(['all', 'allWithVotes']);
    return () => true;
  }
  const [mentioned, ...more] = filter.member('mentions').list(1, 'mentions');
  if (mentioned === undefined || more.length > 0) throw filter.wrong('a list of one address');
  const address = mentioned.address();
  return ({ transaction }) => transaction.accounts.some((meta) => meta.address === address);
}
