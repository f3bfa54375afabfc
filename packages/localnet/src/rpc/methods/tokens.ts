import type { Address } from '@solana/kit';
import type { Localnet } from '../../localnet.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../runtime/addresses.js';
import type { AccountState } from '../../runtime/program.js';
import { readMint, readTokenAccount, type Mint, type TokenAccount } from '../../runtime/token-layout.js';
import { context } from '../commitment.js';
import { encodeAccount, readAccountEncoding } from '../encoding/account.js';
import { tokenAmount } from '../encoding/token-amount.js';
import type { Methods, Param, Params } from '../params.js';
import { invalidParam } from '../rpc-error.js';

const LARGEST_LIMIT = 20;
const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** Methods about tokens of both token programs. */
export const tokenMethods: Methods = {
  getTokenAccountBalance: (chain, params) => {
    const token = readTokenAccount(existing(chain, params.at(0, 'pubkey').address(), 'account'));
    if (token === null) throw invalidParam('not a Token account');
    const { decimals } = mintOf(chain, token.mint);
    return { context: context(chain, params.at(1, 'config')), value: tokenAmount(token.amount, decimals) };
  },
  getTokenSupply: (chain, params) => {
    const account = existing(chain, params.at(0, 'mint').address(), 'account');
    if (!TOKEN_PROGRAMS.includes(account.owner)) throw invalidParam('not a Token mint');
    const mint = readMint(account);
    if (mint === null) throw invalidParam('mint could not be unpacked');
    return {
      context: context(chain, params.at(1, 'config')),
      value: tokenAmount(mint.supply, mint.decimals),
    };
  },
  getTokenLargestAccounts: (chain, params) => {
    const mint = params.at(0, 'mint').address();
    const { decimals } = mintOf(chain, mint);
    const holders = [...tokenAccounts(chain, (token) => token.mint === mint)];
    holders.sort((a, b) => (a.token.amount < b.token.amount ? 1 : -1));
    return {
      context: context(chain, params.at(1, 'config')),
      value: holders
        .slice(0, LARGEST_LIMIT)
        .map(({ address, token }) => ({ address, ...(tokenAmount(token.amount, decimals) as object) })),
    };
  },
  getTokenAccountsByOwner: (chain, params) => {
    const owner = params.at(0, 'owner').address();
    return listTokenAccounts(chain, params, (token) => token.owner === owner);
  },
  getTokenAccountsByDelegate: (chain, params) => {
    const delegate = params.at(0, 'delegate').address();
    return listTokenAccounts(chain, params, (token) => token.delegate === delegate);
  },
};

interface Holding {
  readonly address: Address;
  readonly account: AccountState;
  readonly token: TokenAccount;
}

function listTokenAccounts(
  chain: Localnet,
  params: Params,
  matches: (token: TokenAccount) => boolean,
): unknown {
  const config = params.at(2, 'config');
  const encoding = readAccountEncoding(config);
  const passesFilter = readTokenFilter(chain, params.at(1, 'filter'));
  const found = tokenAccounts(chain, (token, account) => matches(token) && passesFilter(token, account));
  const { accounts } = chain;
  return {
    context: context(chain, config),
    value: [...found].map(({ address, account }) => ({
      pubkey: address,
      account: encodeAccount(account, encoding, accounts),
    })),
  };
}

/** @throws {RpcError} as a node does for a missing mint, and for a program that is no token program */
function readTokenFilter(
  chain: Localnet,
  filter: Param,
): (token: TokenAccount, account: AccountState) => boolean {
  const mint = filter.member('mint');
  if (mint.given) {
    const address = mint.address();
    mintOf(chain, address);
    return (token) => token.mint === address;
  }
  const programId = filter.member('programId');
  if (!programId.given) throw filter.wrong('an object with a mint or a programId');
  const address = programId.address();
  if (!TOKEN_PROGRAMS.includes(address)) throw invalidParam('unrecognized Token program id');
  return (_, account) => account.owner === address;
}

function* tokenAccounts(
  chain: Localnet,
  matches: (token: TokenAccount, account: AccountState) => boolean,
): Iterable<Holding> {
  const { accounts } = chain;
  for (const program of TOKEN_PROGRAMS) {
    for (const [address, account] of accounts.ownedBy(program)) {
      const token = readTokenAccount(account);
      if (token !== null && matches(token, account)) yield { address, account, token };
    }
  }
}

function mintOf(chain: Localnet, address: Address): Mint {
  const mint = readMint(existing(chain, address, 'mint'));
  if (mint === null) throw invalidParam('Token mint could not be unpacked');
  return mint;
}

function existing(chain: Localnet, address: Address, what: 'account' | 'mint'): AccountState {
  const account = chain.getAccount(address);
  if (account === null) throw invalidParam(`could not find ${what}`);
  return account;
}
