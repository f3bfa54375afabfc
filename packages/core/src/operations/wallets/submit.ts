import { decodeBase58 } from '../../contract/base58.js';
import { ServiceError } from '../../contract/errors.js';
import type { WalletSubmitBody, WalletSubmitted } from '../../contract/wallet.js';
import type { Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireWalletSubscription } from './list.js';

/** Sends a transaction for a wallet that only signs. */
export async function submitForWallet(
  service: Service,
  wallet: string,
  id: string,
  body: WalletSubmitBody,
): Promise<WalletSubmitted> {
  const { subscription } = await requireWalletSubscription(service, wallet, id);
  return sendSigned(service, subscription, body);
}

/**
 * Sends a transaction about a subscription. Its wallet must have signed it and pay for it, and it must name
 * the account of the subscription. Wallets may add instructions of their own
 * (cancel-page#transactions-that-are-sent).
 */
export async function sendSigned(
  service: Service,
  { wallet, address }: Pick<Subscription, 'wallet' | 'address'>,
  { transaction }: WalletSubmitBody,
): Promise<WalletSubmitted> {
  const signature = await requireSigned(service, transaction, wallet, address, 'subscription');
  return send(service, transaction, signature);
}

/** The signature of a wallet's transaction about an account. Throws `not_our_transaction` for any other. */
export async function requireSigned(
  { chain }: Service,
  transaction: string,
  wallet: string,
  address: string,
  about: 'subscription' | 'plan',
): Promise<string> {
  const signature = chain.signatureOf(transaction);
  const isSigned = signature !== null && (await chain.isSignatureOf(signature, transaction, wallet));
  if (isSigned && namesAddress(transaction, address)) return signature;
  throw new ServiceError('not_our_transaction', {
    message: `This is no transaction about this ${about} that its ${about === 'plan' ? 'owner' : 'wallet'} signed and pays.`,
  });
}

/** Sends a transaction that was found to be about what it should be. */
export async function send(
  { chain }: Service,
  transaction: string,
  signature: string,
): Promise<WalletSubmitted> {
  const [outcome] = await chain.send([transaction]);
  switch (outcome?.kind) {
    case 'sent':
      return { signature };
    case 'refused':
      throw new ServiceError('transaction_refused', { cause: outcome.refusal });
    case 'unknown':
    case undefined:
      throw new ServiceError('network_unavailable');
  }
}

/** Whether the bytes of a transaction contain an address, as they do for each of its accounts. */
function namesAddress(transaction: string, address: string): boolean {
  const bytes = String.fromCharCode(...(decodeBase58(address) ?? []));
  return bytes !== '' && atob(transaction).includes(bytes);
}
