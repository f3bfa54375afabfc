import type { Address } from '@solana/kit';
import type { Localnet } from '../../localnet.js';
import { minimumBalance } from '../../runtime/rent.js';
import { assertReached, context, readCommitment } from '../commitment.js';
import { encodeAccount, readAccountEncoding } from '../encoding/account.js';
import type { Methods, Param } from '../params.js';
import { rangeErrorAsInvalidParams } from '../rpc-error.js';
import { readFilters } from './account-filters.js';

const MULTIPLE_LIMIT = 100;

/** Methods that read accounts, and `requestAirdrop`. */
export const accountMethods: Methods = {
  getAccountInfo: (chain, params) => {
    const config = params.at(1, 'config');
    const [value] = encodeAll(chain, [params.at(0, 'pubkey').address()], config);
    return { context: context(chain, config), value };
  },
  getMultipleAccounts: (chain, params) => {
    const config = params.at(1, 'config');
    const addresses = params
      .at(0, 'pubkeys')
      .list(MULTIPLE_LIMIT)
      .map((param) => param.address());
    return { context: context(chain, config), value: encodeAll(chain, addresses, config) };
  },
  getProgramAccounts: (chain, params) => {
    const program = params.at(0, 'programId').address();
    const config = params.at(1, 'config');
    assertReached(chain, config, readCommitment(config));
    const matches = readFilters(config.member('filters'));
    const encoding = readAccountEncoding(config);
    const { accounts } = chain;
    const found: unknown[] = [];
    for (const [pubkey, account] of accounts.ownedBy(program)) {
      if (matches(account)) {
        found.push({ pubkey, account: encodeAccount(account, encoding, accounts) });
      }
    }
    return config.member('withContext').flag() ? { context: context(chain, config), value: found } : found;
  },
  getBalance: (chain, params) => ({
    context: context(chain, params.at(1, 'config')),
    value: chain.getAccount(params.at(0, 'pubkey').address())?.lamports ?? 0n,
  }),
  getMinimumBalanceForRentExemption: (chain, params) =>
    minimumBalance(Number(params.at(0, 'dataLength').u64()), chain.lamportsPerByte),
  requestAirdrop: (chain, params) => {
    const to = params.at(0, 'pubkey').address();
    const lamports = params.at(1, 'lamports').u64();
    return rangeErrorAsInvalidParams(() => chain.airdrop(to, lamports));
  },
};

function encodeAll(chain: Localnet, addresses: readonly Address[], config: Param): unknown[] {
  const encoding = readAccountEncoding(config);
  const { accounts } = chain;
  return addresses.map((address) => {
    const account = accounts.find(address);
    return account === undefined ? null : encodeAccount(account, encoding, accounts);
  });
}
