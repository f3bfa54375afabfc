import type { Address } from '@solana/kit';
import { findProgramAddress } from '../../runtime/derive-address.js';
import type { AccountMeta } from '../../runtime/program.js';
import { bytes, key } from './instruction-builders.js';
import type { TestChain } from './test-chain.js';

/**
 * Creates the accounts of the transfer hook, including its counter, and returns them in the order in which a
 * pull appends them.
 */
export function setHookAccounts(
  chain: TestChain,
  hook: Address,
  mint: Address,
  counter: Address,
): readonly AccountMeta[] {
  const text = new TextEncoder().encode('extra-account-metas');
  const validation = findProgramAddress(hook, [text, key(mint)]).address;
  const executeSelector = [105, 37, 101, 197, 75, 251, 102, 26];
  const literalAddress = 0;
  const entry = bytes(literalAddress, key(counter), 0, 1);
  const list = bytes(
    Uint8Array.from(executeSelector),
    Uint8Array.from([4 + entry.length, 0, 0, 0]),
    Uint8Array.from([1, 0, 0, 0]),
    entry,
  );
  for (const [address, data] of [
    [validation, list],
    [counter, new Uint8Array(8)],
  ] as const) {
    chain.write(address, { lamports: chain.rent(data.length), data, owner: hook, executable: false });
  }
  return [
    { address: hook, isSigner: false, isWritable: false },
    { address: validation, isSigner: false, isWritable: false },
    { address: counter, isSigner: false, isWritable: true },
  ];
}
