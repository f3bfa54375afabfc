import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import type { Address } from '@solana/kit';
import { createLocalnet, type Localnet, type Program } from '../../index.js';
import type { InvokeContext } from '../program.js';
import {
  SOL,
  signer,
  testInstruction,
  withTestProgram,
  writable,
  writableSigner,
} from '../../tests/transactions.js';

// The wallets and the program of the runtime's tests: a TypeScript program that transfers lamports through
// the system program.

export const payer = await signer(1);
export const other = await signer(2);
export const third = await signer(3);

export function chainWith(program: Program): Localnet {
  const chain = createLocalnet(withTestProgram(program));
  chain.airdrop(payer.address, SOL);
  chain.airdrop(other.address, SOL);
  return chain;
}

export const pay = (amount: bigint) =>
  getTransferSolInstruction({ source: payer, destination: other.address, amount });
export const lamports = (chain: Localnet, of: Address) => chain.getAccount(of)?.lamports ?? 0n;

/** Invokes a transfer of the system program. */
export function transfer(context: InvokeContext, from: Address, to: Address, amount: number): void {
  const data = new Uint8Array(12);
  data[0] = 2;
  new DataView(data.buffer).setBigUint64(4, BigInt(amount), true);
  const accounts = [
    { address: from, isSigner: true, isWritable: true },
    { address: to, isSigner: false, isWritable: true },
  ];
  context.invoke({ programAddress: SYSTEM_PROGRAM_ADDRESS, accounts, data }, []);
}

export const transferring: Program = (context) => {
  const [from, to] = context.accounts;
  if (from !== undefined && to !== undefined)
    transfer(context, from.address, to.address, context.data[0] ?? 0);
};

export const testTransfer = (amount: number) =>
  testInstruction([amount], [writableSigner(payer), writable(other.address), SYSTEM_PROGRAM_ADDRESS]);
