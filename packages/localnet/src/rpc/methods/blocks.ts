import type { LandedTransaction } from '../../history.js';
import type { Localnet } from '../../localnet.js';
import { readComputeBudget, transactionFee } from '../../runtime/compute-budget.js';
import { decodeMessage } from '../../runtime/transaction.js';
import { BLOCKHASH_LIFETIME } from '../../time/blockhashes.js';
import { context, hasReached, readCommitment, slotAt } from '../commitment.js';
import { TRANSACTION_ENCODINGS, encodeAccountsOnly, encodeLanded } from '../encoding/transaction.js';
import type { Methods, Param } from '../params.js';
import { RpcError } from '../rpc-error.js';
import { decodeOrInvalidParams, readMaxVersion } from './transaction-params.js';

/** The most slots that `getBlocks` and `getBlocksWithLimit` cover. */
const MAX_RANGE = 500_000n;
const DETAILS = ['full', 'accounts', 'signatures', 'none'] as const;

/** Methods about blocks, blockhashes and fees. */
export const blockMethods: Methods = {
  getLatestBlockhash: (chain, params) => {
    const config = params.at(0, 'config');
    const height = slotAt(chain, readCommitment(config)) - chain.firstSlot;
    const blockhash = chain.blockhashes.at(height);
    return {
      context: context(chain, config),
      value: { blockhash, lastValidBlockHeight: height + BLOCKHASH_LIFETIME },
    };
  },
  isBlockhashValid: (chain, params) => ({
    context: context(chain, params.at(1, 'config')),
    value: chain.blockhashIsValid(params.at(0, 'blockhash').blockhash()),
  }),
  getFeeForMessage: (chain, params) => {
    const message = decodeOrInvalidParams(() =>
      decodeMessage(Buffer.from(params.at(0, 'message').string(), 'base64')),
    );
    const result = readComputeBudget(message.instructions);
    return {
      context: context(chain, params.at(1, 'config')),
      value:
        result.ok && chain.blockhashIsValid(message.blockhash)
          ? transactionFee(message, result.budget)
          : null,
    };
  },
  getRecentPrioritizationFees: (chain, params) => {
    const addresses = params
      .at(0, 'addresses')
      .or([], (param) => param.list(128).map((each) => each.address()));
    return recentFees(chain, new Set(addresses));
  },
  getBlockTime: (chain, params) => {
    const slot = params.at(0, 'slot').u64();
    assertAvailable(chain, slot);
    return chain.clock.blockTime(slot);
  },
  getBlocks: (chain, params) => {
    const start = params.at(0, 'startSlot').u64();
    const end = params.at(1, 'endSlot');
    const config = end.given && typeof end.value === 'object' ? end : params.at(2, 'config');
    const last = end.given && end !== config ? end.u64() : start + MAX_RANGE;
    if (last - start > MAX_RANGE) {
      throw new RpcError('invalidParams', `Slot range too large; max ${MAX_RANGE}`);
    }
    return listSlots(chain, start, last, config);
  },
  getBlocksWithLimit: (chain, params) => {
    const start = params.at(0, 'startSlot').u64();
    const limit = params.at(1, 'limit').u64();
    if (limit > MAX_RANGE) throw new RpcError('invalidParams', `Limit too large; max ${MAX_RANGE}`);
    return limit === 0n ? [] : listSlots(chain, start, start + limit - 1n, params.at(2, 'config'));
  },
  getBlock: (chain, params) => {
    const slot = params.at(0, 'slot').u64();
    const config = params.at(1, 'config');
    assertAvailable(chain, slot);
    if (!hasReached(chain, slot, readCommitment(config))) return null;
    if (slot < (chain.history.firstCompleteSlot ?? chain.firstSlot)) {
      throw new RpcError('blockCleanedUp', `Block ${slot} cleaned up, does not exist on node.`);
    }
    return encodeBlock(chain, slot, config);
  },
};

function encodeBlock(chain: Localnet, slot: bigint, config: Param): unknown {
  const height = slot - chain.firstSlot;
  const landed = [...chain.history.oldestFirst()].filter((transaction) => transaction.slot === slot);
  const details = config.member('transactionDetails').or('full', (param) => param.oneOf(DETAILS));
  return {
    blockHeight: height,
    blockTime: chain.clock.blockTime(slot),
    blockhash: chain.blockhashes.at(height),
    parentSlot: height === 0n ? slot : slot - 1n,
    previousBlockhash: height === 0n ? chain.blockhashes.genesis : chain.blockhashes.at(height - 1n),
    ...encodeContents(landed, details, config),
    rewards: [],
  };
}

function encodeContents(
  landed: readonly LandedTransaction[],
  details: (typeof DETAILS)[number],
  config: Param,
): object {
  if (details === 'none') return {};
  if (details === 'signatures') return { signatures: landed.map(({ transaction }) => transaction.signature) };
  const encodeVersion = readMaxVersion(config);
  const encoding = config.member('encoding').or('json', (param) => param.oneOf(TRANSACTION_ENCODINGS));
  const encode = details === 'accounts' ? encodeAccountsOnly : encodeLanded;
  return {
    transactions: landed.map((each) => ({ ...encodeVersion(each.transaction), ...encode(each, encoding) })),
  };
}

function listSlots(chain: Localnet, start: bigint, end: bigint, config: Param): bigint[] {
  const newest = slotAt(chain, readCommitment(config));
  const list: bigint[] = [];
  for (let slot = start > chain.firstSlot ? start : chain.firstSlot; slot <= end && slot <= newest; slot++) {
    list.push(slot);
  }
  return list;
}

function assertAvailable(chain: Localnet, slot: bigint): void {
  if (slot < chain.firstSlot || slot > chain.clock.slot) {
    throw new RpcError('blockNotAvailable', `Block not available for slot ${slot}`);
  }
}

/**
 * The lowest compute unit price in each of the last 150 confirmed slots, of transactions that may write one
 * of the addresses, or of all.
 */
function recentFees(chain: Localnet, addresses: ReadonlySet<string>): unknown {
  const newest = slotAt(chain, 'confirmed');
  const oldest =
    newest - BLOCKHASH_LIFETIME + 1n > chain.firstSlot ? newest - BLOCKHASH_LIFETIME + 1n : chain.firstSlot;
  const lowest = new Map<bigint, bigint>();
  for (const { slot, transaction } of chain.history.newestFirst()) {
    if (slot < oldest) break;
    const matches =
      addresses.size === 0 ||
      transaction.accounts.some(({ address, isWritable }) => isWritable && addresses.has(address));
    const result = readComputeBudget(transaction.instructions);
    if (!matches || !result.ok) continue;
    const known = lowest.get(slot);
    if (known === undefined || result.budget.unitPrice < known) lowest.set(slot, result.budget.unitPrice);
  }
  const fees: unknown[] = [];
  for (let slot = oldest; slot <= newest; slot++) {
    fees.push({ slot, prioritizationFee: lowest.get(slot) ?? 0n });
  }
  return fees;
}
