import { expect, vi } from 'vitest';
import type { Api } from '../../demo/api.js';

/** A page of a subscription's attempts. */
export interface Attempts {
  readonly data: readonly { readonly outcome: string; readonly signature: string | null }[];
  readonly paid: { readonly count: number; readonly amount: string };
}

export async function listAttempts(api: Api, subscriptionId: string): Promise<Attempts> {
  return (await api.get(`/subscriptions/${subscriptionId}/attempts`)) as Attempts;
}

/**
 * Polls the host until the subscription has `count` paid attempts. What a killed host had claimed is free again when its lease of a
 * minute ends.
 */
export async function untilPaid(api: Api, subscriptionId: string, count: number): Promise<void> {
  await vi.waitFor(async () => expect((await listAttempts(api, subscriptionId)).paid.count).toBe(count), {
    timeout: 90_000,
    interval: 50,
  });
}
