import type { ChargeOrder } from '@subrail/core/ports';
import type { Methods } from './chain-on.js';
import { PLAN, WALLET, key } from './charge-view.js';

/** A charge of the plan's price. */
export const order: ChargeOrder = {
  plan: PLAN,
  wallet: WALLET,
  amount: 10_000_000n,
  receiverAccount: key(5),
};

/** A response with a slot. */
export const inContext = (value: unknown) => () => ({ context: { slot: 5_000n }, value });

/** A node on which the charger has the lamports for its fees. */
export const FUNDED: Methods = {
  getLatestBlockhash: inContext({ blockhash: key(9), lastValidBlockHeight: 150n }),
  getEpochInfo: () => ({ absoluteSlot: 5_000n, blockHeight: 0n }),
  getBalance: inContext(1_000_000_000n),
  getFeeForMessage: inContext(5_000n),
  getMinimumBalanceForRentExemption: () => 890_880n,
};
