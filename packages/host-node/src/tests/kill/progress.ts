import { setTimeout as pause } from 'node:timers/promises';
import type { KeyPairSigner } from '@solana/kit';
import { PERIOD_SECONDS, type HostsUnderLoad } from './hosts-under-load.js';

/** The time for which other hosts leave the claims of a killed host alone, by the chain. */
export const LEASE_SECONDS = 60;

/** Far above the bounds of the test, so that lateness is measured. By the time of the machine. */
const PATIENCE_MS = 120_000;

/** Whether a wallet has paid each of its periods that had begun at this time of the chain. */
export function hasPaid({ payments }: HostsUnderLoad, { address }: KeyPairSigner, at: Date): boolean {
  const paid = payments.of(address);
  const [first] = paid;
  if (first === undefined) return false;
  return paid.length >= 1 + Math.floor((at.getTime() / 1_000 - first.at) / PERIOD_SECONDS);
}

/** The number of payments due at this time of the chain that are not made or not told of. */
export function workInFlight(running: HostsUnderLoad, wallets: readonly KeyPairSigner[], at: Date): number {
  const { payments, received } = running;
  const unpaid = wallets.filter((wallet) => !hasPaid(running, wallet, at)).length;
  return unpaid + payments.count() - received.payments;
}

/** Moves the chain's time, ten times as fast as it passes, for some seconds or until a condition holds. */
export async function moveTime(
  { chain }: HostsUnderLoad,
  seconds: number,
  holds = () => false,
): Promise<void> {
  const until = chain.now().getTime() + seconds * 1_000;
  while (!holds() && chain.now().getTime() < until) {
    await pause(250);
    chain.advance({ seconds: 2.25 });
  }
}

/** Waits until a condition holds. Rejects after two minutes, with all that helps to find out why. */
export async function until(
  running: HostsUnderLoad,
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const { payments, received, shop } = running;
  const latest = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    await pause(20);
    if (performance.now() > latest)
      throw new Error(
        `After two minutes this is not so: ${what}. ${payments.count()} payments are on the chain, and ${received.payments} were told of. ${await shop.describeSubscriptions()} The hosts logged: ${JSON.stringify(running.recentWarnings())}`,
      );
  }
}

/** Waits for work, and rejects as `until` does when it does not end. */
export async function ended<T>(running: HostsUnderLoad, what: string, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => (isOver = true);
  work.then(over, over);
  await until(running, what, () => isOver);
  return work;
}

/**
 * Waits until these wallets have paid each period that had begun at a time of the chain, while the chain's
 * time passes quickly as long as a lease takes. Returns the seconds that passed on the chain.
 */
export async function secondsUntilPaid(
  running: HostsUnderLoad,
  wallets: readonly KeyPairSigner[],
  at: Date,
): Promise<number> {
  const { chain } = running;
  const began = chain.now().getTime();
  const allPaid = () => wallets.every((wallet) => hasPaid(running, wallet, at));
  await moveTime(running, LEASE_SECONDS, allPaid);
  await until(running, 'every period that has begun is paid', allPaid);
  return (chain.now().getTime() - began) / 1_000;
}
