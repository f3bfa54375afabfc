import { type Address, type Instruction, getStructEncoder } from '@solana/kit';
import { key, u64, u8 } from './accounts.js';
import { EVENT_ACCOUNTS, programInstruction, readonly, signer, writable } from './instruction.js';

/** The first data byte of `transfer_subscription`. */
export const TRANSFER_SELECTOR = 10;

const transferData = getStructEncoder([
  ['selector', u8],
  ['amount', u64],
  ['wallet', key],
  ['mint', key],
]);

/** Builds the instruction that moves `amount` from the wallet to the receiver. The charger signs it. */
export function transfer(input: {
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
  return programInstruction(
    [
      writable(input.subscription),
      readonly(input.plan),
      readonly(input.authority),
      writable(input.source),
      writable(input.receiver),
      signer(input.charger),
      readonly(input.mint),
      readonly(input.tokenProgram),
      ...EVENT_ACCOUNTS,
    ],
    transferData.encode({ selector: TRANSFER_SELECTOR, ...input }),
  );
}
