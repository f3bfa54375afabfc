import { getRevokeInstruction } from '@solana-program/token-2022';
import { isSolanaError, type KeyPairSigner } from '@solana/kit';
import type { Chain, FullStore, Mailer, OutgoingMail } from '@subrail/core/ports';

import { sendInstructions, sendTransaction, signTransaction, tokenAccountOf } from '@subrail/localnet';
import {
  createCheckout,
  DAY,
  HOUR,
  type IssuedCheckout,
  openTestWorld,
  PRICE,
  submitCheckout,
  type TestWorld,
} from '@subrail/test-world';
import { expectFigures } from '../invariants/expect-figures.js';
import { expectInvariants } from '../invariants/expect-invariants.js';
import { expectMails } from '../invariants/expect-mails.js';
import { FROM } from '../mails/mail-world.js';

/** How far the service's clock is ahead of the chain's. */
const SKEWS = [0, 3_000, -20_000, 45_000];

/** The longest wait after a read that failed. The worker catches up with the chain within it. */
const LONGEST_WAIT_MS = HOUR;

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** A seeded random generator (mulberry32): the same seed gives the same numbers. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** The faults that are active. */
interface Faults {
  /** The RPC does not answer. */
  unreachable: boolean;
  /** Every transaction that is sent is lost. */
  dropSends: boolean;
  /** The process dies at the next send: before the chain has it, or after. */
  dieAtSend: 'before' | 'after' | null;
  /** The process dies at the next commit. */
  dieAtCommit: boolean;
  /** What the mail server answers instead of taking a mail. */
  mail: 'deferred' | 'unreachable' | null;
  /** The process dies when it next writes what became of a mail. */
  dieAtSettle: boolean;
}

const NO_FAULTS: Faults = {
  unreachable: false,
  dropSends: false,
  dieAtSend: null,
  dieAtCommit: false,
  mail: null,
  dieAtSettle: false,
};

class Death extends Error {
  override readonly name = 'Death';
}

function faultyChain(chain: Chain, faults: Faults): Chain {
  const unavailable = { ok: false, unavailable: { kind: 'transport' } } as const;
  return {
    ...chain,
    head: () => (faults.unreachable ? Promise.resolve(unavailable) : chain.head()),
    readCharges: (targets, commitment) =>
      faults.unreachable
        ? Promise.resolve(targets.map(() => unavailable))
        : chain.readCharges(targets, commitment),
    resolve: (queries) =>
      faults.unreachable
        ? Promise.resolve(queries.map(() => ({ kind: 'unknown' as const })))
        : chain.resolve(queries),
    async send(wires) {
      const { dieAtSend } = faults;
      faults.dieAtSend = null;
      if (dieAtSend === 'before') throw new Death();
      const lost = faults.unreachable || faults.dropSends;
      const outcomes = lost ? wires.map(() => ({ kind: 'unknown' as const })) : await chain.send(wires);
      if (dieAtSend === 'after') throw new Death();
      return outcomes;
    },
  };
}

/** Makes the next write of the store fail, as when the process dies, whenever the faults say so. */
function failWrites(store: FullStore, faults: Faults): void {
  const commit = store.commit.bind(store);
  const settleMail = store.settleMail.bind(store);
  store.commit = (...commits) => {
    if (!faults.dieAtCommit) return commit(...commits);
    faults.dieAtCommit = false;
    return Promise.reject(new Death());
  };
  store.settleMail = (...settled) => {
    if (!faults.dieAtSettle) return settleMail(...settled);
    faults.dieAtSettle = false;
    return Promise.reject(new Death());
  };
}

function faultyMailer(accepted: OutgoingMail[], faults: Faults): Mailer {
  return {
    send(mail) {
      if (faults.mail !== null) return Promise.resolve({ kind: faults.mail, reason: 'Try again later.' });
      accepted.push(mail);
      return Promise.resolve({ kind: 'accepted' });
    },
  };
}

const emailOf = (name: string): string => `${name}@example.com`;

/** One customer and the wallet of that customer. */
interface Customer {
  readonly name: string;
  readonly wallet: KeyPairSigner;
  /** Every subscription that was created for them. */
  readonly ids: Set<string>;
  /** The wallet cancelled on chain, without the service. */
  cancelled: boolean;
}

/** Does one random act. An act with two cases is twice as likely as an act with one. */
async function actAtRandom(
  world: TestWorld,
  faults: Faults,
  customers: Customer[],
  roll: (sides: number) => number,
) {
  const chosen = customers[roll(customers.length)];
  if (chosen === undefined) throw new Error('There is no customer.');
  const { wallet } = chosen;
  switch (roll(23)) {
    case 0:
      world.advance((1 + roll(600)) * 1000);
      return;
    case 1:
    case 2:
      world.advance((1 + roll(48)) * HOUR);
      return;
    case 3:
      world.advance((1 + roll(40)) * DAY);
      return;
    case 4:
      return world.give(wallet, PRICE * BigInt(1 + roll(3)));
    case 5: {
      const holding = await world.holding(wallet);
      return holding === 0n ? undefined : world.take(wallet, holding);
    }
    case 6: {
      const revoke = getRevokeInstruction(
        { source: await tokenAccountOf(world.token, wallet.address), owner: wallet },
        { programAddress: TOKEN_PROGRAM as never },
      );
      return world.inNewBlock(() => sendInstructions(world.rpc, wallet, [revoke]));
    }
    case 7: {
      if (chosen.cancelled || roll(3) > 0) return;
      chosen.cancelled = true;
      // The chain refuses it after a change of plan, which cancelled it already.
      return cancelOnChain(world, wallet).catch(ignoreRefusal);
    }
    case 8:
      faults.unreachable = roll(3) === 0;
      return;
    case 9:
      faults.dropSends = roll(3) === 0;
      return;
    case 10:
      faults.dieAtSend = roll(2) === 0 ? 'before' : 'after';
      return;
    case 11:
      faults.dieAtCommit = true;
      return;
    case 12:
      await Promise.all([work(world), work(world)]);
      return;
    case 13:
    case 14:
      for (const customer of customers) await subscribeAgain(world, customer);
      return;
    case 15:
    case 16:
      return changePlan(world, chosen);
    case 17: {
      const outside = await world.outside(wallet);
      // The chain refuses it when nothing is cancelled, or the cancellation is over.
      return outside.resume().then(() => void (chosen.cancelled = false), ignoreRefusal);
    }
    case 18:
      faults.mail = ([null, null, 'deferred', 'unreachable'] as const)[roll(4)] ?? null;
      return;
    case 19:
      faults.dieAtSettle = true;
      return;
    default:
      await work(world);
  }
}

/** A worker charges and sends mails, and may die in the middle of either. */
async function work({ billing: { worker } }: TestWorld): Promise<void> {
  await untilDeath(worker.charge());
  await untilDeath(worker.sendMails());
}

function untilDeath(pass: Promise<unknown>): Promise<unknown> {
  return pass.catch((cause: unknown) => {
    if (!(cause instanceof Death)) throw cause;
  });
}

/** Every customer misses a month and all its retries, and is stopped. */
async function stopAll(world: TestWorld, customers: readonly Customer[]): Promise<void> {
  for (const { wallet } of customers) await world.take(wallet, await world.holding(wallet));
  for (const days of [30, 10, 10, 10]) {
    world.advance(days * DAY);
    await world.work();
  }
}

/** A customer tries to subscribe: refused while subscribed, and a comeback once stopped. */
async function subscribeAgain(world: TestWorld, { name, wallet, ids }: Customer): Promise<void> {
  const [latest] = [...ids].reverse();
  const { body } = await world.call('GET', `/subscriptions/${latest}`);
  if (body['status'] === 'stopped') await world.give(wallet, PRICE);
  const created = await createCheckout(world, wallet, name, emailOf(name));
  if (created.status !== 201) return;
  const checkout = created.body as unknown as IssuedCheckout;
  ids.add(checkout.subscription.id);
  await submitCheckout(world, wallet, checkout);
}

/** A customer changes from what runs last to the other plan: refused when nothing runs, or both plans did. */
async function changePlan(world: TestWorld, { wallet, ids }: Customer): Promise<void> {
  const [latest] = [...ids].reverse();
  const { body } = await world.call('GET', `/subscriptions/${latest}`);
  const plan = body['plan'] === 'pro' ? 'basic' : 'pro';
  const created = await world.call('POST', '/subscriptions', {
    ...{ plan, wallet: wallet.address, replaces: latest },
  });
  if (created.status !== 201) return;
  const checkout = created.body as unknown as IssuedCheckout;
  ids.add(checkout.subscription.id);
  await submitCheckout(world, wallet, checkout);
}

function ignoreRefusal(cause: unknown): void {
  if (!isSolanaError(cause)) throw cause;
}

async function cancelOnChain(world: TestWorld, wallet: KeyPairSigner): Promise<void> {
  await world.inNewBlock(async () => {
    const built = await world.buildCancel(wallet);
    if (built !== null) await sendTransaction(world.rpc, await signTransaction(wallet, built));
  });
}

/**
 * Plays three customers under the random faults of a seed, and checks what must hold at the end. A failure
 * repeats with its seed.
 */
export async function simulate(seed: number): Promise<void> {
  const roll = dice(seed);
  const faults: Faults = { ...NO_FAULTS };
  const accepted: OutgoingMail[] = [];
  const world = await openTestWorld({
    store: seed % 2 === 0 ? 'sqlite' : 'memory',
    tier: seed % 3 === 0 ? 'free' : 'business',
    skewMs: SKEWS[seed % SKEWS.length] ?? 0,
    ...(seed % 5 === 0 ? { endsAfter: 100 * DAY } : {}),
    wrapChain: (chain) => faultyChain(chain, faults),
    ports: { mailer: faultyMailer(accepted, faults), settings: { mailFrom: FROM } },
  });
  failWrites(world.store, faults);
  // A project on Free has one plan.
  if (seed % 3 !== 0) await world.publishPlan(world.projectId, 'basic', { amount: String(PRICE / 5n) });
  const customers: Customer[] = [];
  for (let number = 0; number < 3; number++) {
    const wallet = await world.wallet(PRICE * 3n);
    const name = `customer-${number}`;
    customers.push({
      name,
      wallet,
      ids: new Set([await world.subscribe(wallet, name, emailOf(name))]),
      cancelled: false,
    });
  }
  if (seed % 4 > 1) await stopAll(world, customers);
  const everyId = () => customers.flatMap(({ ids }) => [...ids]);
  for (let step = 0; step < 60; step++) {
    await actAtRandom(world, faults, customers, roll);
    if (step % 10 === 0) await expectFigures(world, everyId());
  }

  Object.assign(faults, NO_FAULTS);
  for (let passed = 0; passed <= LONGEST_WAIT_MS; passed += 5 * 60_000) {
    world.advance(5 * 60_000);
    await world.work();
  }
  // The longest wait between two tries of a mail.
  world.advance(6 * HOUR);
  await world.work();
  await world.billing.worker.sendMails();
  world.forgiveErrors('Death');
  world.forgiveErrors('network_unavailable');
  await expectInvariants(world, everyId());
  await expectMails(world, accepted);
  await world.close();
}
