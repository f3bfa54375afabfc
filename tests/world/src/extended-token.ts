import {
  AccountState,
  extension,
  type ExtensionArgs,
  ExtensionType,
  getDisableMemoTransfersInstruction,
  getEnableMemoTransfersInstruction,
  getFreezeAccountInstruction,
  getMintSize,
  getPauseInstruction,
  getPreInitializeInstructionsForMintExtensions,
  getReallocateInstruction,
  getResumeInstruction,
  getThawAccountInstruction,
  getTokenDecoder,
  getTokenEncoder,
  getTransferCheckedInstruction,
  getUpdateDefaultAccountStateInstruction,
  getUpdateTransferHookInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022';
import {
  address,
  generateKeyPairSigner,
  none,
  some,
  type Address,
  type Instruction,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import { createMint, sendInstructions, tokenAccountOf, type Token } from '@subrail/localnet';

const NO_PROGRAM = address('11111111111111111111111111111111');
/** Any program: a service that meets a hook never runs it. */
const HOOK = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');

/**
 * Creates a mint of Token-2022 by real instructions. Its issuer can pause it, have it run a program on
 * transfers, freeze accounts and move anyone's tokens; at first it does none of it.
 * @param feeBasisPoints what the token keeps of each transfer, in hundredths of a percent; null for no fee
 */
export function createExtendedMint(
  rpc: Rpc<SolanaRpcApi>,
  authority: KeyPairSigner,
  mint: KeyPairSigner,
  feeBasisPoints: number | null,
): Promise<Token> {
  const issuer = authority.address;
  return createMintOfToken2022(rpc, authority, mint, [
    extension('TransferHook', { authority: issuer, programId: NO_PROGRAM }),
    extension('PausableConfig', { authority: issuer, paused: false }),
    extension('PermanentDelegate', { delegate: issuer }),
    extension('DefaultAccountState', { state: AccountState.Initialized }),
    ...(feeBasisPoints === null ? [] : [transferFee(issuer, feeBasisPoints)]),
  ]);
}

/** Creates a mint of Token-2022 with an extension. */
export async function createMintWith(
  rpc: Rpc<SolanaRpcApi>,
  authority: KeyPairSigner,
  of: ExtensionArgs,
): Promise<Address> {
  const mint = await generateKeyPairSigner();
  await createMintOfToken2022(rpc, authority, mint, [of]);
  return mint.address;
}

function createMintOfToken2022(
  rpc: Rpc<SolanaRpcApi>,
  authority: KeyPairSigner,
  mint: KeyPairSigner,
  extensions: ExtensionArgs[],
): Promise<Token> {
  return createMint(rpc, authority, mint, {
    program: TOKEN_2022_PROGRAM_ADDRESS,
    bytes: getMintSize(extensions),
    extend: getPreInitializeInstructionsForMintExtensions(mint.address, extensions),
    freezeAuthority: authority.address,
  });
}

function transferFee(issuer: Address, transferFeeBasisPoints: number): ExtensionArgs {
  const fee = { epoch: 0n, maximumFee: 2n ** 64n - 1n, transferFeeBasisPoints };
  return extension('TransferFeeConfig', {
    transferFeeConfigAuthority: issuer,
    withdrawWithheldAuthority: issuer,
    withheldAmount: 0n,
    olderTransferFee: fee,
    newerTransferFee: fee,
  });
}

/** What the issuer of an extended mint, and the wallet that receives payments in it, can do. */
export interface ExtendedTokenActions {
  /** The issuer pauses every transfer. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** The issuer makes every transfer run a program. */
  setHook(): Promise<void>;
  removeHook(): Promise<void>;
  freeze(wallet: Address): Promise<void>;
  thaw(wallet: Address): Promise<void>;
  /** The issuer has every account begin frozen that is made from now on. */
  freezeNewAccounts(): Promise<void>;
  /** The issuer moves tokens of a wallet to the owner, as the mint's permanent delegate. */
  seize(wallet: Address, amount: bigint): Promise<void>;
  /** The receiving wallet refuses transfers without a memo. */
  requireMemos(): Promise<void>;
  allowNoMemos(): Promise<void>;
  /**
   * The receiving wallet refuses transfers that are not confidential. The account is set without a
   * transaction, which would need a zero-knowledge proof.
   */
  refusePublicTransfers(): Promise<void>;
  allowPublicTransfers(): Promise<void>;
}

/** @param put sets an account's data without a transaction */
export function extendedTokenActions(
  rpc: Rpc<SolanaRpcApi>,
  token: Token,
  owner: KeyPairSigner,
  {
    inNewBlock,
    put,
    dataOf,
  }: {
    readonly inNewBlock: <T>(act: () => Promise<T>) => Promise<T>;
    readonly put: (account: Address, data: Uint8Array) => void;
    readonly dataOf: (account: Address) => Uint8Array;
  },
): ExtendedTokenActions {
  const { mint, authority } = token;
  const send = (...instructions: readonly Instruction[]) =>
    inNewBlock(() => sendInstructions(rpc, authority, instructions)).then(() => undefined);
  const receiver = () => tokenAccountOf(token, owner.address);

  /** Changes the extension of the receiving account for confidential transfers. */
  async function changeConfidential(change: (others: ExtensionArgs[]) => ExtensionArgs[]): Promise<void> {
    const account = await receiver();
    const decoded = getTokenDecoder().decode(dataOf(account));
    const others = decoded.extensions.__option === 'Some' ? decoded.extensions.value : [];
    const kept = others.filter(({ __kind }) => __kind !== 'ConfidentialTransferAccount');
    put(account, Uint8Array.from(getTokenEncoder().encode({ ...decoded, extensions: some(change(kept)) })));
  }

  return {
    pause: () => send(getPauseInstruction({ mint, authority })),
    resume: () => send(getResumeInstruction({ mint, authority })),
    setHook: () => send(getUpdateTransferHookInstruction({ mint, authority, programId: some(HOOK) })),
    removeHook: () => send(getUpdateTransferHookInstruction({ mint, authority, programId: none() })),
    freeze: async (wallet) =>
      send(
        getFreezeAccountInstruction({ account: await tokenAccountOf(token, wallet), mint, owner: authority }),
      ),
    thaw: async (wallet) =>
      send(
        getThawAccountInstruction({ account: await tokenAccountOf(token, wallet), mint, owner: authority }),
      ),
    freezeNewAccounts: () =>
      send(
        getUpdateDefaultAccountStateInstruction({
          mint,
          freezeAuthority: authority,
          state: AccountState.Frozen,
        }),
      ),
    seize: async (wallet, amount) =>
      send(
        getTransferCheckedInstruction({
          source: await tokenAccountOf(token, wallet),
          mint,
          destination: await receiver(),
          authority,
          amount,
          decimals: token.decimals,
        }),
      ),
    async requireMemos() {
      const account = await receiver();
      await send(
        getReallocateInstruction({
          token: account,
          payer: owner,
          owner,
          newExtensionTypes: [ExtensionType.MemoTransfer],
        }),
        getEnableMemoTransfersInstruction({ token: account, owner }),
      );
    },
    allowNoMemos: async () => send(getDisableMemoTransfersInstruction({ token: await receiver(), owner })),
    refusePublicTransfers: () => changeConfidential((others) => [...others, CONFIDENTIAL_ONLY]),
    allowPublicTransfers: () => changeConfidential((others) => others),
  };
}

const NOTHING = new Uint8Array(64);
const CONFIDENTIAL_ONLY: ExtensionArgs = {
  __kind: 'ConfidentialTransferAccount',
  approved: true,
  elgamalPubkey: HOOK,
  pendingBalanceLow: NOTHING,
  pendingBalanceHigh: NOTHING,
  availableBalance: NOTHING,
  decryptableAvailableBalance: new Uint8Array(36),
  allowConfidentialCredits: true,
  allowNonConfidentialCredits: false,
  pendingBalanceCreditCounter: 0n,
  maximumPendingBalanceCreditCounter: 65_536n,
  expectedPendingBalanceCreditCounter: 0n,
  actualPendingBalanceCreditCounter: 0n,
};
