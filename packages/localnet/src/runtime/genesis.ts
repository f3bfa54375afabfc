import type { Address } from '@solana/kit';
import {
  EARLY_LOADERS,
  MEMO_3,
  MEMO_4,
  NATIVE_LOADER,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  UPGRADEABLE_LOADER,
} from './addresses.js';
import { addressBytes } from './base58.js';
import { accountIn, accountsOf, litesvm, type LiteSvmBinding } from './litesvm.js';
import type { AccountState } from './program.js';
import { minimumBalance } from './rent.js';

const FEATURE_OWNER = 'Feature111111111111111111111111111111111111' as Address;
const CONFIG_OWNER = 'Config1111111111111111111111111111111111111' as Address;
const OWNERS = [
  ...[NATIVE_LOADER, UPGRADEABLE_LOADER, ...EARLY_LOADERS, SYSVAR_OWNER],
  ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM, FEATURE_OWNER, CONFIG_OWNER],
];

/** The features and accounts of a new chain. */
export interface Genesis {
  readonly features: LiteSvmBinding.FeatureSet;
  /** The accounts of programs and their data, of features, native mints and sysvars. */
  readonly accounts: ReadonlyMap<Address, AccountState>;
}

let made: Genesis | null = null;

/**
 * The genesis of LiteSVM's constructor, with accounts exempt from rent. Read once for a process: the
 * constructor loads every program, ten times the work of a new chain, and megabytes that are freed late.
 */
export function genesis(lamportsPerByte: bigint): Genesis {
  made ??= readGenesis();
  const accounts = new Map(made.accounts);
  for (const [address, account] of accounts) {
    // LiteSVM gives one lamport to sysvars, the validator's own programs and their configuration.
    if (account.lamports === 1n) continue;
    accounts.set(address, { ...account, lamports: minimumBalance(account.data.length, lamportsPerByte) });
  }
  return { features: made.features, accounts };
}

function readGenesis(): Genesis {
  const svm = new litesvm.LiteSvm();
  svm.withNativeMints();
  // LiteSVM has the program of version 4 at the address of version 3, and nothing at its own.
  const memo = accountIn(svm, MEMO_3);
  if (memo !== undefined && accountIn(svm, MEMO_4) === undefined)
    svm.addProgram(addressBytes(MEMO_4), memo.data);
  const accounts = accountsOf(svm, OWNERS);
  const features = new litesvm.FeatureSet();
  for (const [address, { owner, data }] of accounts)
    if (owner === FEATURE_OWNER) features.activate(addressBytes(address), slotOfFeature(data));
  return { features, accounts };
}

/** The slot in which an active feature was activated, which follows a byte that says that it is. */
const slotOfFeature = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset).getBigUint64(1, true);
