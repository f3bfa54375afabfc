import type { Address } from '@solana/kit';
import type { ChainResult, OwnedTokens } from '@subrail/core/ports';
import { accountOf } from '../rpc/accounts.js';
import type { CallRpc } from '../rpc/failover.js';
import { field, list, text, whole } from '../rpc/response-fields.js';
import type { SlotFloor } from '../rpc/slot-floor.js';
import { readTokenAccount } from './token-accounts.js';

/** Reads every token account of a wallet for a mint. */
export function readTokensOf(
  wallet: Address,
  mint: Address,
  { call, floor }: { readonly call: CallRpc; readonly floor: SlotFloor },
): Promise<ChainResult<readonly OwnedTokens[]>> {
  return call({
    send: (rpc, signal) =>
      rpc
        .getTokenAccountsByOwner(
          wallet,
          { mint },
          { encoding: 'base64', commitment: 'confirmed', ...floor.at('confirmed') },
        )
        .send({ abortSignal: signal }),
    read: (response) => {
      floor.admit('confirmed', whole(field(field(response, 'context'), 'slot'), 'context slot'));
      return list(field(response, 'value'), 'token accounts').flatMap((entry) => {
        const account = accountOf(field(entry, 'account'));
        const tokens = readTokenAccount(account, mint, account.owner);
        return tokens === null
          ? []
          : [{ address: text(field(entry, 'pubkey'), 'address'), balance: tokens.balance }];
      });
    },
  });
}
