import {
  type Address,
  type Instruction,
  AccountRole,
  getAddressEncoder,
  getStructEncoder,
  getU64Encoder,
  getU8Encoder,
} from '@solana/kit';
import { EVENT_AUTHORITY, SUBSCRIPTIONS_PROGRAM } from './addresses.js';

const { READONLY, WRITABLE, READONLY_SIGNER } = AccountRole;

/** The first data byte of `transfer_subscription`. */
export const TRANSFER_SELECTOR = 10;

const transferData = getStructEncoder([
  ['selector', getU8Encoder()],
  ['amount', getU64Encoder()],
  ['wallet', getAddressEncoder()],
  ['mint', getAddressEncoder()],
]);

/** Builds the instruction that moves `amount` from the wallet to the receiver. The charger signs it. */
export function transfer(on: {
  subscription: Address;
  plan: Address;
  authority: Address;
  source: Address;
  receiver: Address;
  charger: Address;
  mint: Address;
  tokenProgram: Address;
  wallet: Address;
  amount: bigint;
}): Instruction {
  return {
    programAddress: SUBSCRIPTIONS_PROGRAM,
    accounts: [
      { address: on.subscription, role: WRITABLE },
      { address: on.plan, role: READONLY },
      { address: on.authority, role: READONLY },
      { address: on.source, role: WRITABLE },
      { address: on.receiver, role: WRITABLE },
      { address: on.charger, role: READONLY_SIGNER },
      { address: on.mint, role: READONLY },
      { address: on.tokenProgram, role: READONLY },
      { address: EVENT_AUTHORITY, role: READONLY },
      { address: SUBSCRIPTIONS_PROGRAM, role: READONLY },
    ],
    data: transferData.encode({ selector: TRANSFER_SELECTOR, ...on }),
  };
}
