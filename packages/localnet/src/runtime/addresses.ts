import type { Address } from '@solana/kit';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;
export const SUBSCRIPTIONS_PROGRAM = 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44' as Address;
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address;
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address;
export const NATIVE_LOADER = 'NativeLoader1111111111111111111111111111111' as Address;
export const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
/** The loaders before the upgradeable one: the account of a program holds its ELF. */
export const EARLY_LOADERS = [
  'BPFLoader1111111111111111111111111111111111' as Address,
  'BPFLoader2111111111111111111111111111111111' as Address,
] as const;
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address;
export const SLOT_HASHES = 'SysvarS1otHashes111111111111111111111111111' as Address;
export const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address;
export const INCINERATOR = '1nc1nerator11111111111111111111111111111111' as Address;

const MEMO_1 = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address;
export const MEMO_3 = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
export const MEMO_4 = 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH' as Address;

/** The deployments of the memo program, whose instruction data is the memo. */
export const MEMO_PROGRAMS: ReadonlySet<Address> = new Set([MEMO_1, MEMO_3, MEMO_4]);

/** Programs whose instructions carry signatures, at the price of the transaction's own. */
export const PRECOMPILES: ReadonlySet<Address> = new Set([
  'Ed25519SigVerify111111111111111111111111111' as Address,
  'KeccakSecp256k11111111111111111111111111111' as Address,
  'Secp256r1SigVerify1111111111111111111111111' as Address,
]);

/** The validator's own programs: their instructions count 3,000 compute units towards the default limit. */
export const BUILTIN_PROGRAMS: ReadonlySet<Address> = new Set([
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  UPGRADEABLE_LOADER,
  ...EARLY_LOADERS,
  'LoaderV411111111111111111111111111111111111' as Address,
  'Vote111111111111111111111111111111111111111' as Address,
  ...PRECOMPILES,
]);

/** Addresses that no transaction may write: sysvars and the validator's own programs. */
export const RESERVED_ADDRESSES: ReadonlySet<Address> = new Set([
  ...BUILTIN_PROGRAMS,
  NATIVE_LOADER,
  SYSVAR_OWNER,
  LOOKUP_TABLE_PROGRAM,
  SLOT_HASHES,
  ...[
    'Config1111111111111111111111111111111111111',
    'Feature111111111111111111111111111111111111',
    'Stake11111111111111111111111111111111111111',
    'StakeConfig11111111111111111111111111111111',
    'ZkE1Gama1Proof11111111111111111111111111111',
    'ZkTokenProof1111111111111111111111111111111',
    'SysvarC1ock11111111111111111111111111111111',
    'SysvarEpochRewards1111111111111111111111111',
    'SysvarEpochSchedu1e111111111111111111111111',
    'SysvarFees111111111111111111111111111111111',
    'Sysvar1nstructions1111111111111111111111111',
    'SysvarLastRestartS1ot1111111111111111111111',
    'SysvarRecentB1ockHashes11111111111111111111',
    'SysvarRent111111111111111111111111111111111',
    'SysvarRewards111111111111111111111111111111',
    'SysvarS1otHistory11111111111111111111111111',
    'SysvarStakeHistory1111111111111111111111111',
  ].map((address) => address as Address),
]);
