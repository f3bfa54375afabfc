import { findAssociatedTokenPda, getMintEncoder, getTokenDecoder } from '@solana-program/token-2022';
import { address, type Address } from '@solana/kit';
import type { Localnet } from '@subrail/localnet';

import { TEST_TOKEN } from './token-facts.js';

/** The classic token program, which most stablecoins use. */
const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

/** The balances of the token that test plans are paid in. The test sets them; no transaction is needed. */
export interface TestToken {
  readonly mint: Address;
  /** The balance of a wallet in the token's smallest unit; 0 without a token account. */
  balanceOf(wallet: Address): Promise<bigint>;
  /** Sets what a wallet holds, and creates its token account when it has none. */
  setBalance(wallet: Address, amount: bigint): void;
}

/** Creates a token at an address of a local chain. */
export function createTestToken(localnet: Localnet, mint: Address, mintAuthority: Address): TestToken {
  const data = Uint8Array.from(
    getMintEncoder().encode({
      mintAuthority,
      supply: 0n,
      decimals: TEST_TOKEN.decimals,
      isInitialized: true,
      freezeAuthority: null,
      extensions: null,
    }),
  );
  localnet.setAccount(mint, {
    data,
    owner: TOKEN_PROGRAM,
    // Accounts that hold less than their rent do not exist for the token program.
    lamports: localnet.lamportsPerByte * BigInt(data.length + ACCOUNT_OVERHEAD_BYTES),
  });
  return {
    mint,
    async balanceOf(wallet) {
      const [account] = await findAssociatedTokenPda({ owner: wallet, mint, tokenProgram: TOKEN_PROGRAM });
      const state = localnet.getAccount(account);
      return state === null ? 0n : getTokenDecoder().decode(state.data).amount;
    },
    setBalance: (wallet, amount) => void localnet.setTokenAccount(wallet, mint, { amount }),
  };
}

/** The bytes that rent counts for an account besides its data. */
const ACCOUNT_OVERHEAD_BYTES = 128;
