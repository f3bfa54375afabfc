import type { KeyPairSigner } from '@solana/kit';
import { signMessage, signTransaction } from '@subrail/localnet';
import type { WalletAccount } from '@subrail/testing';

/** A key as an account of a wallet in the browser. */
export const accountOf = (key: KeyPairSigner): WalletAccount => ({
  address: key.address,
  signTransaction: (transaction) => signTransaction(key, transaction),
  signMessage: (text) => signMessage(key, text),
});
