import { createRequire } from 'node:module';
import type { Address } from '@solana/kit';
import type * as LiteSvmBinding from 'litesvm/dist/internal.js';
import { addressBytes, toAddress } from './base58.js';
import type { AccountState } from './program.js';

export type { LiteSvmBinding };

/** The package's main entry converts base58 on every call; its binding takes and returns bytes. */
export const litesvm = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof LiteSvmBinding;

export function accountIn(svm: LiteSvmBinding.LiteSvm, address: Address): AccountState | undefined {
  const account = svm.getAccount(addressBytes(address));
  if (account === null) return undefined;
  return {
    lamports: account.lamports(),
    data: account.data(),
    owner: toAddress(account.owner()),
    executable: account.executable(),
  };
}

/** The accounts that programs own in LiteSVM, by address. */
export function accountsOf(
  svm: LiteSvmBinding.LiteSvm,
  owners: readonly Address[],
): ReadonlyMap<Address, AccountState> {
  const accounts = new Map<Address, AccountState>();
  for (const owner of owners) {
    for (const listed of svm.getProgramAccounts(addressBytes(owner))) {
      const address = toAddress(listed.address);
      const account = accountIn(svm, address);
      if (account === undefined) throw new Error(`LiteSVM lists ${address} and does not have it.`);
      accounts.set(address, account);
    }
  }
  return accounts;
}
