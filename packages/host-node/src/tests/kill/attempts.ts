import type { Client } from '@subrail/core/client';
import { expect, vi } from 'vitest';

/**
 * Polls the host until the subscription has `count` paid attempts. What a killed host had claimed is free
 * again when its lease of a minute ends.
 */
export async function untilPaid(
  { subscriptions }: Client,
  subscriptionId: string,
  count: number,
): Promise<void> {
  await vi.waitFor(
    async () => expect((await subscriptions.attempts(subscriptionId)).paid.count).toBe(count),
    {
      timeout: 90_000,
      interval: 50,
    },
  );
}
