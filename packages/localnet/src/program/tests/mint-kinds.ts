import type { Address } from '@solana/kit';
import { AccountState as TokenState, type ExtensionArgs } from '@solana-program/token-2022';
import { SYSTEM } from './instruction-builders.js';
import { HOOK_PROGRAM } from './hook-elf.js';
import { type MintKind, token2022 } from './token-setup.js';
import { M } from './fixtures.js';

// Kinds of Token-2022 mints with the extensions of program#token-2022-extensions.

const onePercent = { epoch: 0n, maximumFee: 2n ** 64n - 1n, transferFeeBasisPoints: 100 };
const hook = (programId: Address): ExtensionArgs => ({ __kind: 'TransferHook', authority: M, programId });
const hookAccount: ExtensionArgs = { __kind: 'TransferHookAccount', transferring: false };

export const PLAIN_2022 = token2022();
export const WITH_FEE = token2022(
  [
    {
      __kind: 'TransferFeeConfig',
      transferFeeConfigAuthority: M,
      withdrawWithheldAuthority: M,
      withheldAmount: 0n,
      olderTransferFee: onePercent,
      newerTransferFee: onePercent,
    },
  ],
  [{ __kind: 'TransferFeeAmount', withheldAmount: 0n }],
);
export const WITH_ACTIVE_HOOK = token2022([hook(HOOK_PROGRAM)], [hookAccount]);
export const WITH_ZERO_HOOK = token2022([hook(SYSTEM)], [hookAccount]);
export const PAUSABLE = pausable(false);
export const PAUSED = pausable(true);
export const NON_TRANSFERABLE = token2022(
  [{ __kind: 'NonTransferable' }],
  [{ __kind: 'NonTransferableAccount' }],
);
export const FROZEN_BY_DEFAULT = token2022([{ __kind: 'DefaultAccountState', state: TokenState.Frozen }]);
export const WITH_PERMANENT_DELEGATE = token2022([{ __kind: 'PermanentDelegate', delegate: M }]);
export const CLOSEABLE = token2022([{ __kind: 'MintCloseAuthority', closeAuthority: M }]);

/** A mint with a further extension on its token accounts, such as a memo requirement or a CPI guard. */
export function withAccountExtension(kind: MintKind, extension: ExtensionArgs): MintKind {
  return { ...kind, account: [...kind.account, extension] };
}

function pausable(paused: boolean): MintKind {
  return token2022([{ __kind: 'PausableConfig', authority: M, paused }], [{ __kind: 'PausableAccount' }]);
}

/** A token account's extension for confidential transfers, with or without non-confidential credits. */
export function confidential(allowNonConfidentialCredits: boolean): ExtensionArgs {
  const nothing = new Uint8Array(64);
  return {
    __kind: 'ConfidentialTransferAccount',
    approved: true,
    elgamalPubkey: M,
    pendingBalanceLow: nothing,
    pendingBalanceHigh: nothing,
    availableBalance: nothing,
    decryptableAvailableBalance: new Uint8Array(36),
    allowConfidentialCredits: true,
    allowNonConfidentialCredits,
    pendingBalanceCreditCounter: 0n,
    maximumPendingBalanceCreditCounter: 65_536n,
    expectedPendingBalanceCreditCounter: 0n,
    actualPendingBalanceCreditCounter: 0n,
  };
}
