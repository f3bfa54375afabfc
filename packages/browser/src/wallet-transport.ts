import type { BuildAnswer, WalletConfirmation, WalletSubscriptionPage } from '@subrail/core/schemas';
import { callerOf, type Place, type SignedAction, WAITING_MS } from './transport.js';

/**
 * Makes the routes of a wallet into functions that throw a ProblemError. Each is called once: they are few in
 * a minute, so the person at the page says when one is called again.
 */
export function walletTransportOf(
  service: string,
  wallet: string,
  fetcher: Place['fetch'],
  stopped: AbortSignal,
) {
  const base = `${service.replace(/\/+$/, '')}/wallet/v1/${wallet}/subscriptions`;
  const of = (id: string) => `/${encodeURIComponent(id)}`;
  const call = callerOf({ base, secret: null, fetch: fetcher }, stopped, 1);
  return {
    list: (last: string | null) =>
      call<WalletSubscriptionPage>(last === null ? '' : `?starting_after=${encodeURIComponent(last)}`),
    build: (id: string, action: SignedAction) => call<BuildAnswer>(`${of(id)}/transaction`, { action }),
    send: (id: string, transaction: string) =>
      call<{ readonly signature: string }>(`${of(id)}/submit`, { transaction }),
    confirm: (id: string, action: SignedAction, signature: string) =>
      call<WalletConfirmation>(`${of(id)}/confirm`, { action, signature }, WAITING_MS),
  };
}
