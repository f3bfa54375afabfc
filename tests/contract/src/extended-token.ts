import { address, type Address } from '@solana/kit';
import {
  AccountState,
  findAssociatedTokenPda,
  getMintEncoder,
  getTokenEncoder,
  TOKEN_2022_PROGRAM_ADDRESS,
  type ExtensionArgs,
} from '@solana-program/token-2022';
import type { Control } from './control.js';

const NO_PROGRAM = address('11111111111111111111111111111111');
/** Any program: it is never run. */
const HOOK = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
const RENT = 10_000_000n;

/** What a token's issuer, or the receiving wallet, has switched on. */
export interface Extended {
  readonly paused?: boolean;
  readonly hook?: boolean;
  readonly memo?: boolean;
  readonly confidentialOnly?: boolean;
  readonly untransferable?: boolean;
}

/** A Token-2022 token that can be paused and can run a program on transfers. At first it does neither. */
export interface ExtendedToken {
  /** Sets the mint and the receiver's account; what is not given is off. */
  put(receiver: Address, extended: Extended): Promise<void>;
  /** Opens a wallet's token account with this amount, or sets it; `guarded` turns its CPI guard on. */
  open(wallet: Address, amount: bigint, guarded?: boolean): Promise<void>;
}

export function extendedToken(control: Control, mint: Address, authority: Address): ExtendedToken {
  const owner = TOKEN_2022_PROGRAM_ADDRESS;

  async function account(wallet: Address, amount: bigint, more: readonly ExtensionArgs[]): Promise<void> {
    const [at] = await findAssociatedTokenPda({ owner: wallet, mint, tokenProgram: owner });
    const data = getTokenEncoder().encode({
      mint,
      owner: wallet,
      amount,
      delegate: null,
      state: AccountState.Initialized,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
      extensions: [
        { __kind: 'ImmutableOwner' },
        { __kind: 'TransferHookAccount', transferring: false },
        { __kind: 'PausableAccount' },
        ...more,
      ],
    });
    await control.putAccount(at, { data: new Uint8Array(data), lamports: RENT, owner });
  }

  return {
    async put(receiver, how) {
      const { paused = false, hook = false, memo = false } = how;
      const { confidentialOnly = false, untransferable = false } = how;
      const data = getMintEncoder().encode({
        mintAuthority: authority,
        supply: 1_000_000_000_000n,
        decimals: 6,
        isInitialized: true,
        freezeAuthority: authority,
        extensions: [
          { __kind: 'TransferHook', authority, programId: hook ? HOOK : NO_PROGRAM },
          { __kind: 'PausableConfig', authority, paused },
          ...(untransferable ? [{ __kind: 'NonTransferable' } as const] : []),
        ],
      });
      await control.putAccount(mint, { data: new Uint8Array(data), lamports: RENT, owner });
      await account(receiver, 0n, [
        ...(memo ? [MEMO] : []),
        ...(confidentialOnly ? [confidential(authority)] : []),
      ]);
    },
    open: (wallet, amount, guarded = false) =>
      account(wallet, amount, guarded ? [{ __kind: 'CpiGuard', lockCpi: true }] : []),
  };
}

const MEMO: ExtensionArgs = { __kind: 'MemoTransfer', requireIncomingTransferMemos: true };

/** An extension of an account that takes confidential transfers only. */
function confidential(elgamalPubkey: Address): ExtensionArgs {
  const nothing = new Uint8Array(64);
  return {
    __kind: 'ConfidentialTransferAccount',
    approved: true,
    elgamalPubkey,
    pendingBalanceLow: nothing,
    pendingBalanceHigh: nothing,
    availableBalance: nothing,
    decryptableAvailableBalance: new Uint8Array(36),
    allowConfidentialCredits: true,
    allowNonConfidentialCredits: false,
    pendingBalanceCreditCounter: 0n,
    maximumPendingBalanceCreditCounter: 65_536n,
    expectedPendingBalanceCreditCounter: 0n,
    actualPendingBalanceCreditCounter: 0n,
  };
}
