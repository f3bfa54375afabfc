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
/** By the chain's time: a minute for the lease of the host that was killed, and another for a transaction that it signed. */
const CHARGED_WITHIN_SECONDS = 180;
/** By the time of the machine, as deliveries go: the lease of 40 seconds in which a killed host holds an endpoint, the start of another one on a busy machine, and some passes. */
const TOLD_WITHIN_SECONDS = 90;
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
 * Waits for a moment at which a kill may hurt: within the next seconds, or as soon as some of the due payments have landed and others
 * have not, or some of their webhooks have arrived.
 */
async function untilSomeMoment({ payments, received }: HostsUnderLoad, due: number): Promise<void> {
  const some = 1 + random(due);
  const [paid, arrived] = [payments.count() + some, received.requests + some];
  const moments = [() => false, () => payments.count() >= paid, () => received.requests >= arrived];
  const isThere = moments[random(moments.length)];
  const latest = performance.now() + (isThere === moments[0] ? random(3_000) : 10_000);
  while (isThere?.() !== true && performance.now() < latest) await pause(1);
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  return { median: sorted[sorted.length >> 1] ?? 0, most: sorted.at(-1) ?? 0 };
}

/** Moves the chain's time, ten times as fast as it passes, until a condition holds. Returns by how many seconds. */
async function moveTimeUntil(world: HostsUnderLoad, holds: () => boolean): Promise<number> {
  const { chain, payments, received, shop } = world;
  const began = chain.now().getTime();
  while (!holds()) {
    await pause(250);
    chain.advance({ seconds: 2.5 });
    if (chain.now().getTime() - began > 1_800_000)
      throw new Error(
        `Too much time passed on the chain, and something is not done yet. ${payments.count()} payments are on the chain, and ${received.payments} were told of. ${await shop.describeSubscriptions()} The hosts logged: ${JSON.stringify(world.recentWarnings())}`,
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
      await untilSomeMoment(running, wallets.length);
      const both = random(4) === 0 && kills + HOSTS <= KILLS;
      const places = both ? Array.from({ length: HOSTS }, (_, place) => place) : [random(HOSTS)];
      kills += places.length;
      const restarted = Promise.all(places.map((place) => running.killAndRestart(place)));
      if (both) await restarted;
      const due = [...wallets];
      const killedAt = performance.now();
      charged.push(await moveTimeUntil(running, () => due.every((one) => hasPaid(running, one, moved))));
      const paid = payments.count();
      while (received.payments < paid) await pause(50);
      told.push((performance.now() - killedAt) / 1_000);
      await Promise.all([restarted, checkout]);
    }
    reading = false;
    await reads;
    // What a killed host was sending is sent again when its lease is over, and what is due then is charged.
    const over = chain.now().getTime() + 120_000;
    await moveTimeUntil(running, () => chain.now().getTime() >= over);
    const paidInTheEnd = payments.count();
    await moveTimeUntil(
      running,
      () =>
        wallets.every((one) => hasPaid(running, one, new Date(over))) && received.payments >= paidInTheEnd,
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
