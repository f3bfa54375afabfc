import type { KeyPairSigner } from '@solana/kit';
import type { HostsUnderLoad, OpenProject } from './hosts-under-load.js';
import { hasPaid, LEASE_SECONDS, moveTime, until } from './progress.js';

/** While hosts stop, a period may begin, and then one of them is started again. */
const MOST_STOPS = 5;

/** Whether every event was delivered, and every payment on the chain has its event. */
async function nothingIsPending(
  { payments, received }: HostsUnderLoad,
  { billing, projectId }: OpenProject,
): Promise<boolean> {
  if (received.payments < payments.count()) return false;
  const { data } = await billing.project(projectId).deliveries.list({ state: 'pending', limit: 1 });
  return data.length === 0;
}

/**
 * Lets the hosts run until they have done all that there is to do, and stops them in an orderly way. What
 * they leave when they stop is done by a host that is started again.
 *
 * @returns the service over their database, while no host runs
 */
export async function finishWork(
  running: HostsUnderLoad,
  wallets: readonly KeyPairSigner[],
): Promise<OpenProject> {
  // Work of a killed host is done again when its lease ends, and due charges are made.
  await moveTime(running, 2 * LEASE_SECONDS);
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (stops > 0) await running.start(0);
    const service = await running.open();
    await until(running, 'every period is paid and every event is delivered', async () => {
      const now = running.chain.now();
      return (
        wallets.every((wallet) => hasPaid(running, wallet, now)) && (await nothingIsPending(running, service))
      );
    });
    await running.stop();
    if (await nothingIsPending(running, service)) return service;
    await service.close();
  }
  throw new Error(`Hosts that were stopped ${MOST_STOPS} times left work each time.`);
}
