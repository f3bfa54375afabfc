import type { AccountStore } from '../../runtime/account-store.js';
import { TOKEN_2022_PROGRAM } from '../../runtime/addresses.js';
import type { AccountState } from '../../runtime/program.js';
import { readMint, readTokenAccount, type Mint, type TokenAccount } from '../../runtime/token-layout.js';
import { tokenAmount } from './token-amount.js';
import { parseExtensions } from './token-extensions.js';

/** The data of a token account or mint as `jsonParsed` shows it; null for any other account. */
export function parseTokenData(account: AccountState, accounts: Pick<AccountStore, 'find'>): unknown {
  const token = readTokenAccount(account);
  if (token !== null) {
    const mint = accounts.find(token.mint);
    const decimals = mint === undefined ? undefined : readMint(mint)?.decimals;
    // Without the mint's decimals a balance cannot be shown in tokens; a node then shows the bytes.
    return decimals === undefined ? null : parsed(account, 'account', tokenInfo(token, decimals));
  }
  const mint = readMint(account);
  return mint === null ? null : parsed(account, 'mint', mintInfo(mint));
}

function parsed(account: AccountState, type: 'account' | 'mint', info: object): unknown {
  const extended = account.owner === TOKEN_2022_PROGRAM;
  const extensions = extended ? parseExtensions(account.data) : [];
  return {
    program: extended ? 'spl-token-2022' : 'spl-token',
    parsed: { type, info: extensions.length === 0 ? info : { ...info, extensions } },
    space: account.data.length,
  };
}

function tokenInfo(token: TokenAccount, decimals: number): object {
  return {
    mint: token.mint,
    owner: token.owner,
    tokenAmount: tokenAmount(token.amount, decimals),
    state: token.state,
    isNative: token.nativeReserve !== null,
    ...(token.nativeReserve !== null && { rentExemptReserve: tokenAmount(token.nativeReserve, decimals) }),
    ...(token.delegate !== null && {
      delegate: token.delegate,
      delegatedAmount: tokenAmount(token.delegatedAmount, decimals),
    }),
    ...(token.closeAuthority !== null && { closeAuthority: token.closeAuthority }),
  };
}

function mintInfo(mint: Mint): object {
  return {
    mintAuthority: mint.mintAuthority,
    supply: mint.supply.toString(),
    decimals: mint.decimals,
    isInitialized: true,
    freezeAuthority: mint.freezeAuthority,
  };
}
