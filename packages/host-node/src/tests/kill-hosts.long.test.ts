// Heavy: hosts as processes are killed under load, again and again, on two databases.

import { setTimeout as pause } from 'node:timers/promises';
import type { KeyPairSigner } from '@solana/kit';
import { afterEach, expect, test } from 'vitest';
import { ENGINES } from './kill/engines.js';
import { examine } from './kill/examine.js';
import { finishWork } from './kill/finish-work.js';
import { PERIOD_SECONDS, startHostsUnderLoad, type HostsUnderLoad } from './kill/hosts-under-load.js';
import { untilSomeMoment } from './kill/moments.js';
import { ended, LEASE_SECONDS, secondsUntilPaid, until, workInFlight } from './kill/progress.js';
import { random, SEED } from './kill/random.js';
import type { ServerFault } from './kill/server-faults.js';

/** The number of moments of a kill. Each kill costs the seconds of the start of another host. */
const KILLS = Number(process.env['KILLS'] ?? 5);
/** A file is shared by the hosts of one machine, and a server by those of many. */
const HOSTS = { sqlite: 2, postgres: 4 };
/** A fault of the database's server comes every so many moments: five have at least one. */
const MOMENTS_OF_A_FAULT = 3;
const WALLETS = 40;
const JUMP_SECONDS = PERIOD_SECONDS - 900;
/**
 * Nothing can be charged while the database is away, so the time is counted from when its server takes
 * connections again. What a host had claimed that lost its connection is as free when its lease is over as
 * what a killed host had claimed, so the bound is the same. By the chain's time, which passes as fast as that
 * of the machine once the lease is over: some passes on a busy machine.
 */
const CHARGED_WITHIN_SECONDS = LEASE_SECONDS + 30;
/**
 * By the time of the machine: the lease of what a host had claimed that was killed as it looked up payments,
 * or the 40 seconds for which it held the endpoint, and some passes.
 */
const TOLD_WITHIN_SECONDS = LEASE_SECONDS + 30;

let world: HostsUnderLoad | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** The victims of each moment: a host, all hosts, or the database's server, alone or with a host. */
function planKills(serverFaults: readonly ServerFault[], everyHost: number) {
  const first = random(MOMENTS_OF_A_FAULT);
  let faults: ServerFault[] = [];
  /** Each way once, in any order, before any of them again. */
  const nextFault = (): ServerFault | undefined => {
    if (faults.length === 0) faults = [...serverFaults];
    return faults.splice(random(faults.length), 1)[0];
  };
  return Array.from({ length: KILLS }, (_, moment) => {
    const fault = moment % MOMENTS_OF_A_FAULT === first ? nextFault() : undefined;
    if (fault !== undefined) return { fault, hosts: random(2) };
    return { fault, hosts: random(4) === 0 ? everyHost : 1 };
  });
}

/** Keeps early rejections from ending the run. The test waits for each promise later, and fails then. */
function handled(...promises: readonly (Promise<unknown> | undefined)[]): void {
  for (const promise of promises) promise?.catch(() => undefined);
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  return { median: sorted[sorted.length >> 1] ?? 0, most: sorted.at(-1) ?? 0 };
}

// invariants#one-payment-per-period, deliveries#delivery-id-for-deduplication,
// deliveries#same-bytes-for-every-attempt
test.each(ENGINES)(
  `hosts on %s charge each period once and lose no event, though some of them or their server fail at ${KILLS} moments`,
  async (engine) => {
    const running = await startHostsUnderLoad(engine, HOSTS[engine]);
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
    handled(reads);
    const inFlight: number[] = [];
    const charged: number[] = [];
    const told: number[] = [];
    const faults: string[] = [];
    for (const { fault, hosts } of planKills(running.serverFaults, HOSTS[engine])) {
      // Nearly everything is due, and a checkout begins. Earlier charges have the rest of their period.
      chain.advance({ seconds: JUMP_SECONDS });
      const wallet = await running.newWallet();
      const moved = chain.now();
      const checkOut = async () => {
        while (!(await shop.follows(moved))) await pause(50);
        await shop.subscribe(wallet);
        wallets.push(wallet);
      };
      const checkout = checkOut();
      const place = await untilSomeMoment(running, wallets.length, random);
      inFlight.push(workInFlight(running, wallets, moved));
      const struck = fault?.strike();
      const killed = Array.from({ length: hosts }, (_, next) => (place + next) % HOSTS[engine]);
      const restarted = Promise.all(killed.map((one) => running.killAndRestart(one)));
      handled(checkout, struck, restarted);
      if (fault !== undefined && struck !== undefined)
        if (await ended(running, `fault of the server has passed: ${fault.name}`, struck))
          faults.push(fault.name);
      // Until then no host runs.
      if (hosts === HOSTS[engine]) await restarted;
      const due = [...wallets];
      const killedAt = performance.now();
      charged.push(await secondsUntilPaid(running, due, moved));
      const paid = payments.count();
      await until(running, 'every payment was told of', () => received.payments >= paid);
      told.push((performance.now() - killedAt) / 1_000);
      await ended(running, 'the hosts that were killed serve again', restarted);
      await ended(running, 'a wallet has subscribed', checkout);
    }
    reading = false;
    await reads;
    const service = await finishWork(running, wallets);
    const examined = await examine(running, service, wallets);
    await service.close();

    const answers = Object.fromEntries(shop.answers);
    process.stdout.write(
      `${JSON.stringify({
        seed: SEED,
        engine,
        hosts: HOSTS[engine],
        kills: KILLS,
        faults,
        ...examined,
        inFlight,
        sentAgain: received.requests - received.bodies.size,
        seconds: { charged: spread(charged), told: spread(told) },
        answers,
        errors: Object.fromEntries(running.errors()),
      })}\n`,
    );
    // A kill without work to do shows nothing.
    expect(inFlight.filter((payments) => payments > 0).length).toBeGreaterThan(KILLS / 2);
    expect(Object.keys(answers).filter((name) => /^500/.test(name))).toEqual([]);
    expect(spread(charged).most).toBeLessThan(CHARGED_WITHIN_SECONDS);
    expect(spread(told).most).toBeLessThan(TOLD_WITHIN_SECONDS);
  },
  120_000 + KILLS * 60_000,
);
