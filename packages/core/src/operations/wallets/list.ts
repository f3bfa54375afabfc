import { atNow, type SubscriptionContext } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import type {
  WalletSubscription,
  WalletSubscriptionPage,
  WalletSubscriptionsQuery,
} from '../../contract/wallet.js';
import type { SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { walletSubscriptionWire } from '../../wire/wallet-subscription.js';
import { pageRequest, unknownCursor } from '../pages.js';
import { requireProject, requireSubscription } from '../require.js';

/** More transfers than payments are read, because some may have failed. */
const TRANSFERS_READ = 10;

/** The subscriptions of a wallet in every project, newest first (cancel-page#what-the-page-shows). */
export async function listOfWallet(
  service: Service,
  wallet: string,
  query: WalletSubscriptionsQuery,
): Promise<WalletSubscriptionPage> {
  const page = await service.store.listByWallet(wallet, pageRequest<SubscriptionId>(query));
  if (page === 'unknown_cursor') throw unknownCursor();
  const data = await Promise.all(
    page.data.map(async ({ subscription, plan }) => {
      const project = await requireProject(service, subscription.projectId);
      return describeForWallet(service, { subscription, plan, project });
    }),
  );
  return { data, has_more: page.hasMore };
}

/** A subscription as anybody may see it, with its payments and the names in its signed terms. */
export async function describeForWallet(
  service: Service,
  context: SubscriptionContext,
): Promise<WalletSubscription> {
  const { id } = context.subscription;
  const [terms, transfers] = await Promise.all([
    service.store.findSignedTerms(id),
    service.store.listTransfers(id, TRANSFERS_READ),
  ]);
  const facts = { terms: terms?.message ?? null, transfers };
  return walletSubscriptionWire(context.subscription, atNow(service, context), facts);
}

/** Finds a confirmed subscription of the wallet. Throws `subscription_not_found`. */
export async function requireWalletSubscription(
  service: Service,
  wallet: string,
  id: string,
): Promise<SubscriptionContext> {
  const subscription = await service.store.findWalletSubscription(wallet, id as SubscriptionId);
  if (subscription === null || subscription.confirmedAt === null)
    throw new ServiceError('subscription_not_found');
  return requireSubscription(service, await requireProject(service, subscription.projectId), id);
}
