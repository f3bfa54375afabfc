import { expect, vi } from 'vitest';
import type { Api } from '../../demo/api.js';

export interface Attempts {
  readonly data: readonly { readonly outcome: string; readonly signature: string | null }[];
  readonly paid: { readonly count: number; readonly amount: string };
}

export async function listAttempts(api: Api, subscriptionId: string): Promise<Attempts> {
  return (await api.get(`/subscriptions/${subscriptionId}/attempts`)) as Attempts;
}

/** Asks the host again and again until it has that many paid attempts on record. */
export async function untilPaid(api: Api, subscriptionId: string, count: number): Promise<void> {
  await vi.waitFor(async () => expect((await listAttempts(api, subscriptionId)).paid.count).toBe(count), {
    timeout: 30_000,
    interval: 50,
  });
}
