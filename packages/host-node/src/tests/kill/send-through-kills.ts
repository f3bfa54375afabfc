import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FullStore, Mail, ProjectId } from '@subrail/core/ports';
import { aCommit, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import { createLocalnet, serveLocalnet } from '@subrail/localnet';
import { expect, onTestFinished } from 'vitest';
import { loadOrCreateSecret } from '../../state/private-files.js';
import { loadOrCreateSigner } from '../../state/signer-file.js';
import { startScript } from '../host-process.js';
import { bundleHost } from './bundled-host.js';
import { openMailServer, STEPS, type Moment, type TakenMail } from './mail-server.js';
import { random, SEED } from './random.js';

export const MAILS = 1_000;
export const KILLS = 20;

/** Ends a test that hangs. Many starts of hosts take long on a busy machine. */
export const LIMIT_MS = 300_000;

/** The most hosts at once. Every other round has one alone. A round ends when all its hosts are killed. */
const MOST_HOSTS = 2;

/** The last mail at which a host is killed: so few that mails are left for every later host. */
const MOST_MAILS = 30;

/** The mails that a host sends at once (core/src/outbox/mail-pass.ts). */
const TOGETHER = 5;

/** By how much the clock goes on while no host runs: for longer than a mail is left to its sender. */
const ROUND_SECONDS = 180;

const DAY_MS = 24 * 3_600_000;

/** Each step as often as any other, in any order, each at any mail. */
function planKills(): Moment[] {
  const steps = Array.from({ length: KILLS }, (_, kill) => STEPS[kill % STEPS.length] ?? 'taken');
  return Array.from({ length: KILLS }, () => {
    const [step = 'taken'] = steps.splice(random(steps.length), 1);
    return { step, mail: step === 'connected' ? 1 : 1 + random(MOST_MAILS) };
  });
}

/** A meeting of hosts: each call resolves when every host has called. So hosts send at the same time. */
function meetingOf(hosts: number): () => Promise<void> {
  let missing = hosts;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return () => {
    missing -= 1;
    if (missing === 0) begin();
    return begun;
  };
}

/** What a killed host had done, and what it left. */
interface KilledHost {
  readonly moment: Moment;
  readonly taken: readonly TakenMail[];
  /** The mails in flight at its kill: its server knew of them, and the store still had them to be sent. */
  readonly inFlight: readonly Mail[];
}

/** Stores subscriptions of which each is due to be reminded of its renewal, by a mail. */
async function seedSubscriptions(store: FullStore): Promise<ProjectId> {
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  const now = new Date();
  const paidPeriodEnd = new Date(now.getTime() + 6 * DAY_MS);
  const subscriptions = Array.from({ length: MAILS }, (_, place) =>
    aSubscription({
      projectId: project.id,
      planId: plan.id,
      email: `reader-${place}@example.com`,
      paidPeriodEnd,
      nextTryAt: paidPeriodEnd,
      // They are not on the chain.
      nextCheckAt: paidPeriodEnd,
      wakeAt: now,
    }),
  );
  await store.commit(subscriptions.map((subscription) => aCommit(subscription)));
  return project.id;
}

/**
 * Lets hosts on one database send a mail to each of many customers, and kills them meanwhile. Expects that
 * every mail was sent, and that none was repeated but those in flight at a kill, as the same message.
 */
export async function sendThroughKills(store: FullStore, database: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-kill-mails-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bundle = bundleHost();
  onTestFinished(() => bundle.remove());
  const chain = createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1_000)) });
  chain.resumeClock();
  const served = await serveLocalnet(chain, { port: 0 });
  onTestFinished(() => served.close());
  await loadOrCreateSigner(join(folder, 'charger.json'));
  loadOrCreateSecret(join(folder, 'sealing-key'), () => randomBytes(32).toString('hex'));
  const projectId = await seedSubscriptions(store);
  let aheadSeconds = 0;

  async function start(moment: Moment | null, arrive: () => Promise<void>) {
    const server = await openMailServer(moment, arrive);
    const host = startScript(bundle.script, [], folder, {
      CLOCK_AHEAD_MS: String(aheadSeconds * 1_000),
      SUBRAIL_CHAIN: served.url,
      SUBRAIL_NETWORK: 'devnet',
      SUBRAIL_CHARGER_KEY_FILE: join(folder, 'charger.json'),
      SUBRAIL_SEALING_KEY_FILE: join(folder, 'sealing-key'),
      SUBRAIL_DATA_DIR: folder,
      SUBRAIL_DATABASE: database,
      SUBRAIL_PORT: '0',
      SUBRAIL_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      SUBRAIL_MAIL_FROM: 'billing@shop.example',
    });
    onTestFinished(async () => void (await host.end('SIGKILL')));
    return { server, host };
  }

  async function mailsIn(state: Mail['state'] | null): Promise<readonly Mail[]> {
    const filter = { state, subscriptionId: null };
    const page = await store.listMails(projectId, filter, { limit: 2 * MAILS, startingAfter: null });
    if (page === 'unknown_cursor') throw new Error('There is no cursor.');
    return page.data;
  }

  async function killAt(moment: Moment, arrive: () => Promise<void>): Promise<KilledHost> {
    const { server, host } = await start(moment, arrive);
    const ended = host.exited.then((code) => {
      throw new Error(`The host ended with ${code} by itself. It wrote:\n${host.lines.join('\n')}`);
    });
    await Promise.race([server.moment, ended]);
    await host.end('SIGKILL');
    await server.close();
    const inFlight = (await mailsIn('pending')).filter(({ email }) => server.named.has(email));
    return { moment, taken: server.taken, inFlight };
  }

  /** Lets hosts send what is left, and stops them in an orderly way. */
  async function finish(): Promise<readonly TakenMail[]> {
    const arrive = meetingOf(MOST_HOSTS);
    const last = await Promise.all(Array.from({ length: MOST_HOSTS }, () => start(null, arrive)));
    await expect
      .poll(async () => (await mailsIn('sent')).length, { interval: 200, timeout: LIMIT_MS / 2 })
      .toBe(MAILS);
    for (const { server, host } of last) {
      expect(await host.end('SIGTERM')).toBe(0);
      await server.close();
    }
    return last.flatMap(({ server }) => server.taken);
  }

  const killed: KilledHost[] = [];
  const plan = planKills();
  for (let round = 0; plan.length > 0; round += 1) {
    const moments = plan.splice(0, 1 + (round % MOST_HOSTS));
    const arrive = meetingOf(moments.length);
    killed.push(...(await Promise.all(moments.map((moment) => killAt(moment, arrive)))));
    aheadSeconds += ROUND_SECONDS;
    chain.advance({ seconds: ROUND_SECONDS });
  }
  const takenAtLast = await finish();
  examine(await mailsIn(null), killed, takenAtLast);
}

/** Checks what the servers took against what the store says of each mail. */
function examine(
  mails: readonly Mail[],
  killed: readonly KilledHost[],
  takenAtLast: readonly TakenMail[],
): void {
  const taken = [...killed.flatMap((host) => host.taken), ...takenAtLast];
  const inFlight = killed.map((host) => host.inFlight.length);
  const moments = killed.map(({ moment }) => `${moment.step} ${moment.mail}`);
  const sentAgain = taken.length - mails.length;
  process.stdout.write(`${JSON.stringify({ seed: SEED, moments, inFlight, sentAgain })}\n`);
  expect(mails.map(({ state }) => state)).toEqual(Array.from({ length: MAILS }, () => 'sent'));
  // A mail was taken once, and at most once more for each host that was killed before it wrote that it was.
  const repeats = killed.flatMap((host) => {
    const ids = new Set(host.taken.map(({ id }) => id));
    return host.inFlight.filter((mail) => ids.has(messageIdOf(mail)));
  });
  const nameOf = (mail: Mail) => `${messageIdOf(mail)} to ${mail.email}`;
  const times = counted(taken.map(({ id, to }) => `${id} to ${to}`));
  expect([...times.keys()].toSorted()).toEqual(mails.map(nameOf).toSorted());
  // At most, because the server of a database may write what a host sent it before it was killed.
  const most = counted([...mails, ...repeats].map(nameOf));
  expect([...times].filter(([name, count]) => count > (most.get(name) ?? 0))).toEqual([]);
  expect(new Set(taken.map(({ id, subject }) => `${id} ${subject}`)).size).toBe(MAILS);
  expect(Math.max(...inFlight)).toBeLessThanOrEqual(TOGETHER);
  // A kill shows something only while mails are in flight.
  expect(inFlight.filter((count) => count > 0).length).toBeGreaterThanOrEqual(KILLS / 2);
  expect(sentAgain).toBeGreaterThan(0);
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const messageIdOf = ({ id }: Mail): string => `<${id}@shop.example>`;
