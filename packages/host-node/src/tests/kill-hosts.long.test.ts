import { setTimeout as pause } from 'node:timers/promises';
import type { KeyPairSigner } from '@solana/kit';
import type { SubscriptionId } from '@subrail/core/ports';
import { SeededRandom } from '@subrail/core/testing';
import { afterEach, expect, test } from 'vitest';
import { ENGINES } from './kill/engines.js';
import { PERIOD_SECONDS, PRICE, startHostsUnderLoad, type HostsUnderLoad } from './kill/hosts-under-load.js';

// A host is a process, and each kill costs the seconds in which another one starts. The chain's time is moved by the test.
const KILLS = Number(process.env['KILLS'] ?? 5);
const HOSTS = 2;
const WALLETS = 40;
const JUMP_SECONDS = PERIOD_SECONDS - 900;
/** For how long nobody else works on what a killed host had claimed, by the chain's time. */
const LEASE_SECONDS = 60;
/** By the chain's time, which passes as fast as that of the machine once the lease is over: some passes on a busy machine. */
const CHARGED_WITHIN_SECONDS = LEASE_SECONDS + 30;
/**
 * By the time of the machine: the lease of what a host had claimed that was killed as it looked up payments, or the 40 seconds for which it
 * held the endpoint, and some passes.
 */
const TOLD_WITHIN_SECONDS = LEASE_SECONDS + 30;
/** What a host asks of the chain in the course of a charge: after each of these a kill leaves other work behind. */
const CALLS = ['getMultipleAccounts', 'simulateTransaction', 'sendTransaction', 'getSignatureStatuses'];
const EVERYTHING = { limit: 100_000, startingAfter: null };

let world: HostsUnderLoad | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const bytes = new SeededRandom(Number(process.env['PROPERTY_SEED'] ?? 12));
const random = (below: number) =>
  Math.floor((below * ((bytes.bytes(1)[0] ?? 0) * 256 + (bytes.bytes(1)[0] ?? 0))) / 65_536);

/** Whether a wallet has paid each of its periods that had begun at this time of the chain. */
function hasPaid({ payments }: HostsUnderLoad, { address }: KeyPairSigner, at: Date): boolean {
  const paid = payments.of(address);
  const [first] = paid;
  if (first === undefined) return false;
  return paid.length >= 1 + Math.floor((at.getTime() / 1_000 - first.at) / PERIOD_SECONDS);
}

/**
 * Waits for a moment at which a kill may hurt: within the next seconds, as soon as some webhooks have arrived, or when a host has got some
 * answers of the chain that it needs for charges. Returns the place of the host that is to be killed: the one that got them, or any.
 */
async function untilSomeMoment(running: HostsUnderLoad, due: number): Promise<number> {
  const { received } = running;
  const any = random(HOSTS);
  const arrived = received.requests + 1 + random(due);
  const webhooks = async () => {
    while (received.requests < arrived) await pause(1);
    return any;
  };
  const method = CALLS[random(CALLS.length + 2)];
  if (method !== undefined) {
    // Accounts are read many at a time, and four charges share a transaction.
    const calls = running.answered(method, 1 + random(/^get/.test(method) ? 2 : due / 4));
    return Promise.race([calls, pause(10_000, any)]);
  }
  return Promise.race([random(2) === 0 ? webhooks() : pause(random(3_000), any), pause(10_000, any)]);
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  return { median: sorted[sorted.length >> 1] ?? 0, most: sorted.at(-1) ?? 0 };
}

/** Moves the chain's time, ten times as fast as it passes, for some seconds or until a condition holds. */
async function moveTime({ chain }: HostsUnderLoad, seconds: number, holds = () => false): Promise<void> {
  const until = chain.now().getTime() + seconds * 1_000;
  while (!holds() && chain.now().getTime() < until) {
    await pause(250);
    chain.advance({ seconds: 2.25 });
  }
}

/** Waits until a condition holds, while the chain's time passes quickly as long as a lease takes. Returns the seconds that passed on the chain. */
async function secondsUntil(running: HostsUnderLoad, holds: () => boolean): Promise<number> {
  const { chain, payments, received, shop } = running;
  const began = chain.now().getTime();
  await moveTime(running, LEASE_SECONDS, holds);
  const latest = performance.now() + 120_000;
  while (!holds()) {
    await pause(20);
    if (performance.now() > latest)
      throw new Error(
        `Two minutes after the lease something is not done yet. ${payments.count()} payments are on the chain, and ${received.payments} were told of. ${await shop.describeSubscriptions()} The hosts logged: ${JSON.stringify(running.recentWarnings())}`,
      );
  }
  return (chain.now().getTime() - began) / 1_000;
}

// invariants#one-payment-per-period, deliveries#delivery-id-for-deduplication, deliveries#same-bytes-for-every-attempt
test.each(ENGINES)(
  `${HOSTS} hosts on %s that are killed ${KILLS} times charge each period once and lose no event`,
  async (engine) => {
    const running = await startHostsUnderLoad(engine, HOSTS);
    world = running;
    const { chain, payments, received, shop } = running;
    const wallets: KeyPairSigner[] = [];
    for (let count = 0; count < WALLETS; count += 1) {
      const wallet = await running.newWallet();
      await shop.subscribe(wallet);
      wallets.push(wallet);
      chain.advance({ seconds: PERIOD_SECONDS / WALLETS / 4 });
    }

    let reading = true;
    const read = async () => {
      for (let turn = 0; reading; turn += 1) {
        await shop.access(wallets[turn % wallets.length]?.address ?? '');
        await pause(100);
      }
    };
    const reads = read();
    const charged: number[] = [];
    const told: number[] = [];
    for (let kills = 0; kills < KILLS;) {
      // Nearly everything is due, and a checkout begins. What was due just before has the rest of its period to be charged.
      chain.advance({ seconds: JUMP_SECONDS });
      const wallet = await running.newWallet();
      const moved = chain.now();
      const checkOut = async () => {
        while (!(await shop.follows(moved))) await pause(50);
        await shop.subscribe(wallet);
        wallets.push(wallet);
      };
      const checkout = checkOut();
      const place = await untilSomeMoment(running, wallets.length);
      const all = random(4) === 0 && kills + HOSTS <= KILLS;
      const places = all ? Array.from({ length: HOSTS }, (_, place) => place) : [place];
      kills += places.length;
      const restarted = Promise.all(places.map((place) => running.killAndRestart(place)));
      if (all) await restarted;
      const due = [...wallets];
      const killedAt = performance.now();
      charged.push(await secondsUntil(running, () => due.every((one) => hasPaid(running, one, moved))));
      const paid = payments.count();
      while (received.payments < paid) await pause(50);
      told.push((performance.now() - killedAt) / 1_000);
      await Promise.all([restarted, checkout]);
    }
    reading = false;
    await reads;
    // What a killed host was sending is sent again when its lease is over, and what is due then is charged.
    await moveTime(running, 2 * LEASE_SECONDS);
    const over = chain.now();
    const paidInTheEnd = payments.count();
    await secondsUntil(
      running,
      () => wallets.every((one) => hasPaid(running, one, over)) && received.payments >= paidInTheEnd,
    );
    // What has no payment to tell of is sent in the same seconds.
    for (let before = -1; before !== received.requests;) {
      before = received.requests;
      await pause(2_000);
    }
    const answers = Object.fromEntries(shop.answers);
    const errors = Object.fromEntries(running.errors());

    const service = await running.openStopped();
    const { store } = service.billing.service;
    const { projectId } = service;
    const findings: unknown[] = [];
    let examined = 0;
    for (let next: string | null | undefined; next !== null;) {
      const part = await service.billing
        .project(projectId)
        .doctor.examine(next === undefined ? {} : { starting_after: next });
      findings.push(...part.findings, ...(part.not_compared > 0 ? [part.not_compared] : []));
      examined += part.examined;
      next = part.next;
    }
    expect(findings).toEqual([]);

    const delivered = received.events();
    // What was committed while the hosts stopped is sent by the next one.
    const pending = await service.billing
      .project(projectId)
      .deliveries.list({ state: 'pending', limit: 100 });
    const waiting = new Set(pending.data.map(({ event }) => event));
    expect(waiting.size).toBeLessThan(10);
    let charges = 0;
    for (const { address } of wallets) {
      const onChain = payments.of(address);
      const [first] = onChain;
      const periods = onChain.map(({ at }) => Math.floor((at - (first?.at ?? 0)) / PERIOD_SECONDS));
      expect(periods).toEqual(periods.map((_, period) => period));
      expect(onChain.every(({ amount }) => amount === PRICE)).toBe(true);
      charges += onChain.length;
      const { data } = await service.billing
        .project(projectId)
        .subscriptions.list({ wallet: address, limit: 100 });
      const id = data.find(({ status }) => status === 'active')?.id as SubscriptionId;
      const attempts = await store.listAttempts(id, EVERYTHING);
      if (attempts === 'unknown_cursor') throw new Error('There is no cursor.');
      const paid = attempts.data.filter(({ outcome }) => outcome === 'paid');
      // The last payment may have landed while the hosts stopped: then its transfer is open, and the next host finds it.
      const open = await store.findOpenTransfer(id);
      const signatures = paid.map(({ signature }) => signature).toReversed();
      if (open !== null && signatures.length < onChain.length) signatures.push(open.signature);
      expect(signatures).toEqual(onChain.map(({ signature }) => signature));

      const events = await store.listEvents(
        projectId as never,
        new Date(0),
        { type: null, subscriptionId: id },
        EVERYTHING,
      );
      if (events === 'unknown_cursor') throw new Error('There is no cursor.');
      const stored = events.data.map((event) => ({ id: event.id, sequence: event.sequence })).toReversed();
      expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, place) => place + 1));
      const got = delivered
        .filter(({ subscription }) => subscription === id)
        .map((event) => ({ id: event.id, sequence: event.sequence }))
        .toSorted((one, other) => one.sequence - other.sequence);
      const missing = stored.filter(({ id }) => !got.some((one) => one.id === id));
      expect(missing.filter(({ id }) => !waiting.has(id))).toEqual([]);
      expect(got).toEqual(stored.filter((one) => !missing.includes(one)));
    }
    // Each delivery was always sent with the same bytes.
    expect([...received.bodies.values()].filter((sent) => sent.size > 1)).toEqual([]);
    expect(Object.keys(answers).filter((name) => /^500/.test(name))).toEqual([]);
    process.stdout.write(
      `${JSON.stringify({
        ...{ engine, kills: KILLS, charges, examined, events: delivered.length },
        sentAgain: received.requests - received.bodies.size,
        seconds: { charged: spread(charged), told: spread(told) },
        ...{ answers, errors },
      })}\n`,
    );
    expect(spread(charged).most).toBeLessThan(CHARGED_WITHIN_SECONDS);
    expect(spread(told).most).toBeLessThan(TOLD_WITHIN_SECONDS);
    await service.close();
  },
  120_000 + KILLS * 60_000,
);
