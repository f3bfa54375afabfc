import type { KeyPairSigner } from '@solana/kit';
import type { SubscriptionId } from '@subrail/core/ports';
import { expect } from 'vitest';
import { PERIOD_SECONDS, PRICE, type HostsUnderLoad, type OpenProject } from './hosts-under-load.js';

const EVERYTHING = { limit: 100_000, startingAfter: null };

/**
 * Checks, when all work is done, that the chain, the records and the deliveries agree: each period was paid
 * once, each payment has its attempt, and each event was delivered, always with the same bytes.
 *
 * @returns how much there was of each
 */
export async function examine(
  running: HostsUnderLoad,
  service: OpenProject,
  wallets: readonly KeyPairSigner[],
) {
  const { findings, examined } = await examineWithDoctor(service);
  expect(findings).toEqual([]);

  let charges = 0;
  for (const { address } of wallets) {
    const onChain = running.payments.of(address);
    const [first] = onChain;
    const periods = onChain.map(({ at }) => Math.floor((at - (first?.at ?? 0)) / PERIOD_SECONDS));
    expect(periods).toEqual(periods.map((_, period) => period));
    expect(onChain.every(({ amount }) => amount === PRICE)).toBe(true);
    expect(await paidSignatures(service, address)).toEqual(onChain.map(({ signature }) => signature));
    charges += onChain.length;
  }

  const stored = await storedEvents(service);
  expect(inOrder(running.received.events())).toEqual(stored);
  expect([...running.received.bodies.values()].filter((sent) => sent.size > 1)).toEqual([]);
  return { charges, examined, events: stored.length };
}

async function examineWithDoctor({ billing, projectId }: OpenProject) {
  const findings: unknown[] = [];
  let examined = 0;
  for (let next: string | null | undefined; next !== null;) {
    const part = await billing
      .project(projectId)
      .doctor.examine(next === undefined ? {} : { starting_after: next });
    findings.push(...part.findings, ...(part.not_compared > 0 ? [part.not_compared] : []));
    examined += part.examined;
    next = part.next;
  }
  return { findings, examined };
}

/** The signatures of a wallet's payments by the records, oldest first, with none in flight. */
async function paidSignatures(
  { billing, projectId }: OpenProject,
  wallet: string,
): Promise<readonly (string | null)[]> {
  const { store } = billing.service;
  const { data } = await billing.project(projectId).subscriptions.list({ wallet, limit: 100 });
  const id = data.find(({ status }) => status === 'active')?.id as SubscriptionId;
  expect(await store.findOpenTransfer(id)).toBeNull();
  const attempts = await store.listAttempts(id, EVERYTHING);
  if (attempts === 'unknown_cursor') throw new Error('There is no cursor.');
  return attempts.data
    .filter(({ outcome }) => outcome === 'paid')
    .map(({ signature }) => signature)
    .toReversed();
}

interface NumberedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly subscription: string;
}

/** Every event of the project, of which each subscription has numbered its own without a gap. */
async function storedEvents({ billing, projectId }: OpenProject): Promise<readonly NumberedEvent[]> {
  const everyEvent = { type: null, subscriptionId: null };
  const page = await billing.service.store.listEvents(
    projectId as never,
    new Date(0),
    everyEvent,
    EVERYTHING,
  );
  if (page === 'unknown_cursor') throw new Error('There is no cursor.');
  const events = inOrder(
    page.data.map(({ id, sequence, subscriptionId }) => ({ id, sequence, subscription: subscriptionId })),
  );
  // They are ordered by subscription, and by sequence within each.
  for (const [place, { subscription, sequence }] of events.entries()) {
    const before = events[place - 1];
    expect(sequence).toBe(before?.subscription === subscription ? before.sequence + 1 : 1);
  }
  return events;
}

function inOrder(events: readonly NumberedEvent[]): readonly NumberedEvent[] {
  return events.toSorted(
    (one, other) =>
      one.subscription.localeCompare(other.subscription) ||
      one.sequence - other.sequence ||
      one.id.localeCompare(other.id),
  );
}
