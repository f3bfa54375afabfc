import type { ProjectBilling } from '@subrail/core';

/** Sends a test to an endpoint, and says how it went. */
export async function tryEndpoint(shop: ProjectBilling, endpointId: string): Promise<string> {
  const { log } = await shop.endpoints.test(endpointId);
  return log
    .map(
      ({ status, duration_ms, excerpt }) =>
        `${status ?? 'no answer'} after ${duration_ms} ms${excerpt === '' ? '' : `: ${excerpt}`}`,
    )
    .join();
}

/** What an endpoint was not able to take, and what it answered last. */
export async function givenUp(shop: ProjectBilling, endpointId: string): Promise<readonly string[]> {
  const { data } = await shop.deliveries.list({ endpoint: endpointId, state: 'failed' });
  return data.map(({ id, type, attempts, last_status, last_excerpt }) =>
    [id, type, `${attempts} attempts`, last_status ?? last_excerpt ?? 'never sent'].join(', '),
  );
}

/** Turns an endpoint on again, and sends it what it missed since a date. */
export async function bringBack(shop: ProjectBilling, endpointId: string, since: string): Promise<number> {
  await shop.endpoints.enable(endpointId);
  const { recovered } = await shop.endpoints.recover(endpointId, { since });
  return recovered;
}
