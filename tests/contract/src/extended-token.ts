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

const NOBODY = address('11111111111111111111111111111111');
/** Any program will do: it is never run. */
const HOOK = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
const RENT = 10_000_000n;

/** What a token's issuer, or the receiving wallet, did to it. */
export interface Extended {
  readonly paused?: boolean;
  readonly hook?: boolean;
  readonly memo?: boolean;
  readonly confidentialOnly?: boolean;
}

/** A Token-2022 token that can be paused and can run a program on transfers, as it begins: doing neither. */
export interface ExtendedToken {
  /** Puts the mint and the account of its receiver as given, which nothing was before. */
  put(receiver: Address, extended: Extended): Promise<void>;
  /** Opens a wallet's account with so many tokens. */
  open(wallet: Address, amount: bigint): Promise<void>;
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
    async put(receiver, { paused = false, hook = false, memo = false, confidentialOnly = false }) {
      const data = getMintEncoder().encode({
        mintAuthority: authority,
        supply: 1_000_000_000_000n,
        decimals: 6,
        isInitialized: true,
        freezeAuthority: authority,
        extensions: [
          { __kind: 'TransferHook', authority, programId: hook ? HOOK : NOBODY },
          { __kind: 'PausableConfig', authority, paused },
        ],
      });
      await control.putAccount(mint, { data: new Uint8Array(data), lamports: RENT, owner });
      await account(receiver, 0n, [
        ...(memo ? [MEMO] : []),
        ...(confidentialOnly ? [confidential(authority)] : []),
      ]);
    },
    open: (wallet, amount) => account(wallet, amount, []),
  };
}

const MEMO: ExtensionArgs = { __kind: 'MemoTransfer', requireIncomingTransferMemos: true };

/** An account that takes confidential transfers and no other. */
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
