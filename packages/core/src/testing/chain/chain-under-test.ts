import type { Chain } from '../../ports/chain.js';
import type { NamedMint } from '../../ports/chain/views.js';

/**
 * The parts that the author of a `Chain` provides for each test: the adapter on a new chain, wallets, and the
 * means to move time, sign for the wallets and break the connection. The chain may be simulated.
 */
export interface ChainUnderTest {
  /** The adapter. Its charger has the lamports for its fees, and its clock shows the chain's time. */
  readonly chain: Chain;
  /** A token on the chain, without extensions that change a transfer. */
  readonly mint: {
    readonly address: string;
    readonly tokenProgram: string;
    readonly decimals: number;
    /** How the mint calls its token; without it the mint gives no name. */
    readonly names?: NamedMint['names'];
  };
  /** A wallet with lamports and an empty token account, which publishes plans; none numbered from 1000 on. */
  readonly owner: string;
  /** A wallet with lamports and a token account, which has never approved anything. */
  readonly wallet: string;
  /** A wallet with an empty token account, which is paid. */
  readonly receiver: string;
  /** A wallet with lamports and without a token account. */
  readonly stranger: string;

  /** Adds the signature of `owner`, `wallet` or `stranger` to a transaction (base64), as its app would. */
  sign(transaction: string, signer: string): Promise<string>;
  /** Signs a text (UTF-8) with the key of `owner`, `wallet` or `stranger`. Returns base58. */
  signText(text: string, signer: string): Promise<string>;
  /** Sets how many tokens `wallet` has, in the token's smallest unit. */
  setBalance(amount: bigint): Promise<void>;
  /** Reads how many tokens a wallet has, without the adapter under test; 0 when it has no token account. */
  balanceOf(wallet: string): Promise<bigint>;

  /** Moves the chain's time forward. */
  advance(seconds: number): Promise<void>;
  /** Returns once everything that was sent so far is confirmed, or was dropped. */
  settle(): Promise<void>;
  /** Passes so many blocks that nothing signed so far can land, and that the chain has finalized them. */
  expire(): Promise<void>;
  /** From now on no call of the adapter reaches the chain. */
  disconnect(): void;
  /** From now on calls reach the chain again. */
  reconnect(): void;
  /** Stops the chain. Called at the end of each test. */
  close(): Promise<void>;
}

/** Tests of a chain by name. A test's name states the promise that it checks. */
export type ChainTests = Readonly<Record<string, (underTest: ChainUnderTest) => Promise<void>>>;
