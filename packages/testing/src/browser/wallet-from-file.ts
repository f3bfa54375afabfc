import { signerFromKeyFile } from '@subrail/adapters/node';
import { signMessage, signTransaction } from '@subrail/localnet';

import type { WalletAccount } from './install-wallets.js';

/**
 * Reads the wallet of a Solana key file, such as `subrail local wallet` makes one with tokens of the local
 * chain, as an account of `installWallets`.
 *
 * @throws TypeError when the file has no key that can be used; the message never has any of it
 * @example
 * const giveWallet = async (context: WalletContext) =>
 *   installWallets(context, [{ name: 'Local Wallet', accounts: [await walletFromFile('ada.json')] }]);
 */
export async function walletFromFile(file: string): Promise<WalletAccount> {
  const signer = await signerFromKeyFile(file);
  return {
    address: signer.address,
    signTransaction: (transaction) => signTransaction(signer, transaction),
    signMessage: (text) => signMessage(signer, text),
  };
}
