import { address, generateKeyPairSigner, type Address, type KeyPairSigner } from '@solana/kit';
import { program } from '@subrail/adapters/solana';
import type { ProjectId, FullStore, SubscriptionId } from '@subrail/core/ports';
import { aCheckout, aCommit, aProject, aSubscription, aTransfer } from '@subrail/core/testing';

import {
  createMint,
  mintTo,
  sendInstructions,
  sendTransaction,
  signMessage,
  signTransaction,
  tokenAccountOf,
} from '@subrail/localnet';
import { MINUTE, MONTH, DAY, HOUR, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';

/** The projects whose keys requests carry: one on Business, one on Free, and one without a free seat. */
export const PROJECTS = ['business', 'free', 'full'] as const;
export type ProjectName = (typeof PROJECTS)[number];

/** A customer who has as many open checkouts as the cap allows (checkout#pending-caps). */
export const CUSTOMER_AT_CAP = 'customer-crowd';

/** What create or transaction answered for a wallet to sign. */
export interface IssuedCheckout {
  readonly transaction: string;
  readonly terms: { readonly message: string };
}

/** A subscription of the fixtures. Its signer is null when the record has no wallet of the tests. */
export interface FixtureSubscription {
  readonly id: string;
  readonly project: ProjectName;
  readonly plan: string;
  readonly signer: KeyPairSigner | null;
  readonly wallet: string;
  readonly externalId: string | null;
}

/** The state that every run starts from: records in the store, accounts on the chain. */
export interface Fixtures {
  readonly world: TestWorld;
  /** By name, which says the state of each. */
  readonly subscriptions: ReadonlyMap<string, FixtureSubscription>;
  /** What each open checkout's wallet has to sign, by the subscription's id. */
  readonly issued: ReadonlyMap<string, IssuedCheckout>;
  readonly keys: Readonly<Record<ProjectName, string>> & { readonly revoked: string };
  /** Wallets without a subscription: two that hold tokens, and one that holds none. */
  readonly newWallets: readonly KeyPairSigner[];
  readonly plans: readonly string[];
  readonly events: readonly string[];
  readonly attempts: readonly string[];
}

/**
 * Runs the service for three months over the real adapter and a local chain, so that subscriptions and plans
 * reach every state. A state that is out of reach here, or not reached yet, is stored as a record.
 */
export async function buildFixtures(store: FullStore): Promise<Fixtures> {
  const world = await openTestWorld({ store });
  const { billing, rpc, owner, token, localnet, charger } = world;
  const subscriptions = new Map<string, FixtureSubscription>();
  const issued = new Map<string, IssuedCheckout>();
  const projects: Record<ProjectName, string> = { business: world.projectId, free: '', full: '' };

  const spare = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  const [noTokenMint, noReceiverMint] = spare.map((mint) => ({ ...token, mint: mint.address }));
  if (noTokenMint === undefined || noReceiverMint === undefined)
    throw new Error('There must be two spare mints.');

  const otherMint = noReceiverMint;
  async function publish(project: ProjectName, slug: string, more: object = {}): Promise<void> {
    await world.publishPlan(projects[project], slug, more);
  }

  const planOf = (project: ProjectName, slug: string) => world.plan(slug, projects[project]);

  async function checkout(name: string, plan = 'pro', project: ProjectName = 'business', tokens = 10n) {
    const signer = await world.wallet(tokens * PRICE);
    if (plan === 'no-receiver') await mintTo(rpc, otherMint, signer.address, tokens * PRICE);
    const externalId = `customer-${name}`;
    const created = await billing.project(projects[project]).subscriptions.create({
      plan,
      wallet: signer.address,
      external_id: externalId,
      email: `${name.toLowerCase()}@example.com`,
    });
    const { id } = created.subscription;
    subscriptions.set(name, { id, project, plan, signer, wallet: signer.address, externalId });
    issued.set(id, created);
    return { signer, created };
  }

  async function subscribe(...of: Parameters<typeof checkout>): Promise<KeyPairSigner> {
    const { signer, created } = await checkout(...of);
    const settled = await billing
      .project(projects[of[2] ?? 'business'])
      .subscriptions.submit(created.subscription.id, {
        transaction: await signTransaction(signer, created.transaction),
        terms_signature: await signMessage(signer, created.terms.message),
      });
    if (settled.subscription.status !== 'active') throw new Error(`${of[0]} is ${JSON.stringify(settled)}`);
    return signer;
  }

  const subscription = (name: string) => {
    const found = subscriptions.get(name);
    if (found?.signer == null) throw new Error(`The fixtures have no signer for ${name}.`);
    return { ...found, signer: found.signer, project: projects[found.project] };
  };

  async function act(name: string, action: 'cancel' | 'close'): Promise<void> {
    const { project, id, signer } = subscription(name);
    const { transaction } = await billing.project(project).subscriptions[action](id);
    await world.inNewBlock(async () => sendTransaction(rpc, await signTransaction(signer, transaction)));
    const confirm = action === 'cancel' ? 'confirmCancel' : 'confirmClose';
    const result = await billing.project(project).subscriptions[confirm](id, { signature: '1'.repeat(64) });
    if ('reason_code' in result) throw new Error(`${action} of ${name}: ${result.reason_code}`);
  }

  const empty = async (name: string) => {
    const { signer } = subscription(name);
    const holding = await world.holding(signer);
    if (holding > 0n) await world.take(signer, holding);
  };

  /** A manual retry that is queued and then fails. */
  async function failedRetry(name: string): Promise<void> {
    const { project, id, signer } = subscription(name);
    await world.give(signer, PRICE);
    await billing.project(project).subscriptions.retry(id);
    await world.take(signer, PRICE);
    await world.work();
  }

  async function setAmount(plan: Address): Promise<void> {
    const data = Uint8Array.from(localnet.getAccount(plan)?.data ?? []);
    const view = new DataView(data.buffer);
    for (let offset = 0; offset + 8 <= data.length; offset++) {
      if (view.getBigUint64(offset, true) !== PRICE) continue;
      view.setBigUint64(offset, PRICE + 1n, true);
      break;
    }
    localnet.setAccount(plan, { data });
  }

  projects.free = (await billing.projects.create({ name: 'Small', tier: 'free' })).id;
  const full = aProject({ name: 'Full', subscriberLimit: 1, createdAt: world.now() });
  await store.insertProject(full);
  projects.full = full.id;

  const begun = world.now().getTime();
  const ends = { ends_at: new Date(begun + 35 * DAY).toISOString() };
  for (const slug of ['brief', 'gone', 'replaced']) await publish('business', slug, ends);
  for (const slug of ['unlisted', 'delisted', 'vanished', 'swapped']) await publish('business', slug);
  // Ends about twenty minutes after the fixtures are built, while their open checkouts still wait.
  const soon = begun + 68 * DAY - 1358 * MINUTE;
  await publish('business', 'soon', { ends_at: new Date(soon).toISOString() });
  await publish('business', 'no-more', { ends_at: new Date(begun + 300 * DAY).toISOString() });
  for (const mint of spare) await createMint(rpc, owner, mint);
  for (const one of [noTokenMint, noReceiverMint]) await mintTo(rpc, one, owner.address, 0n);
  await publish('business', 'no-token', { mint: noTokenMint.mint });
  await publish('business', 'no-receiver', { mint: noReceiverMint.mint });
  await billing.project(projects.business).plans.create({
    ...{ name: 'Draft', slug: 'draft', owner: owner.address, mint: token.mint, amount: '1', period_hours: 1 },
  });
  await publish('free', 'small');
  await publish('full', 'crowded');

  for (const name of ['stopped', 'abandoned', 'ended', 'closed', 'elsewhere', 'behind'])
    await subscribe(name);
  await subscribe('planEnded', 'brief');
  await subscribe('planRemoved', 'gone');
  await subscribe('planReplaced', 'replaced');
  await subscribe('blocked', 'unlisted');
  await subscribe('freeStopped', 'small', 'free');
  await checkout('expired');
  await act('ended', 'cancel');
  await act('closed', 'cancel');
  for (const name of ['stopped', 'freeStopped', 'behind']) await empty(name);
  await (await world.outside(subscription('abandoned').signer)).closeAuthority();
  await (await world.outside(subscription('blocked').signer, 'unlisted')).removeCharger();
  const elsewhere = await store.findSubscription(
    projects.business as ProjectId,
    subscription('elsewhere').id as SubscriptionId,
  );
  localnet.setAccount(address(elsewhere?.address ?? ''), { lamports: 0n });

  world.advance(MONTH);
  await world.work();
  await act('behind', 'cancel');
  await act('closed', 'close');
  for (let day = 0; day < 4; day++) {
    world.advance(DAY);
    await world.work();
  }
  // No worker runs between the end of the plans and what their owner does then.
  world.advance(2 * DAY);
  for (const slug of ['gone', 'replaced']) {
    await (await world.outside(owner, slug)).deletePlan();
  }
  await (await world.outside(owner, 'replaced')).recreatePlan();
  await world.work();
  world.advance(DAY);
  for (const name of ['late', 'lateWaiting', 'lateRich', 'lateRevoked']) await subscribe(name);
  await subscribe('freeLate', 'small', 'free');
  await subscribe('freeSpent', 'small', 'free');
  await subscribe('freeWaiting', 'small', 'free');
  for (const name of ['late', 'lateWaiting', 'lateRich', 'freeLate', 'freeSpent', 'freeWaiting'])
    await empty(name);
  world.advance(HOUR);
  await subscribe('over');
  await act('over', 'cancel');
  world.advance(MONTH - HOUR);
  await (await world.outside(subscription('lateRevoked').signer)).revokeApproval();
  await world.work();
  await world.give(subscription('lateRich').signer, 5n * PRICE);
  for (const name of ['active', 'cancelled', 'renewed']) await subscribe(name);
  await act('cancelled', 'cancel');
  for (const plan of ['vanished', 'swapped']) {
    await subscribe(plan, plan);
    await act(plan, 'cancel');
  }
  for (let retry = 0; retry < 3; retry++) {
    await failedRetry('freeSpent');
    world.advance(10 * MINUTE);
  }
  world.advance(25 * MINUTE);
  await failedRetry('freeWaiting');
  await failedRetry('lateWaiting');
  // No worker runs from here on, so what ends now still has its old record.
  world.advance(6 * MINUTE);
  // These can pay again, and the stopped one can come back.
  for (const name of ['freeWaiting', 'lateWaiting', 'stopped'])
    await world.give(subscription(name).signer, 5n * PRICE);

  // These checkouts are issued just before something that they depend on changes.
  const changing = ['vanished', 'swapped', 'delisted', 'no-more', 'no-receiver', 'soon'];
  for (const plan of changing) {
    await checkout(`pending-${plan}`, plan);
  }
  await checkout('pending-crowded', 'crowded', 'full');
  await subscribe('seated', 'crowded', 'full');
  await checkout('pendingPoor');
  await empty('pendingPoor');
  await checkout('pending');
  await checkout('pendingToo');
  localnet.setAccount(address((await planOf('business', 'vanished')).address), { lamports: 0n });
  await setAmount(address((await planOf('business', 'swapped')).address));
  await (await world.outside(owner, 'delisted')).removeCharger();
  const sunset = await planOf('business', 'no-more');
  const seen = program.decodePlan(localnet.getAccount(address(sunset.address))?.data ?? new Uint8Array());
  if (seen === null) throw new Error('The chain has no such plan.');
  await sendInstructions(rpc, owner, [
    program.updatePlan({
      ...{ plan: address(sunset.address), seen, sunset: true, endTs: seen.endTs, metadata: '' },
      pullers: [charger.address],
    }),
  ]);

  localnet.setAccount(await tokenAccountOf(noReceiverMint, owner.address), { lamports: 0n });
  localnet.setAccount(noTokenMint.mint, { lamports: 0n });

  const pro = await planOf('business', 'pro');
  const of = { projectId: pro.projectId, planId: pro.id, createdAt: world.now(), wakeAt: null };
  const brief = await planOf('business', 'brief');
  const small = await planOf('free', 'small');
  const late = {
    ...{ periodStart: of.createdAt, graceUntil: null, queuedAt: null, deadline: null },
    automatic: { spent: 0, allowed: 3, waitMs: DAY, nextAt: new Date(of.createdAt.getTime() + DAY) },
    byHand: { count: 0, lastAt: null },
  };
  const waits = { checkoutExpiresAt: new Date(of.createdAt.getTime() + HOUR / 2) };
  const rows = {
    failed: aCheckout({ ...of, status: 'failed', checkoutExpiresAt: null }),
    superseded: aSubscription({ ...of, status: 'superseded' }),
    parked: aSubscription({ ...of, pausedAt: of.createdAt }),
    parkedLate: aSubscription({ ...of, status: 'unpaid', late, pausedAt: of.createdAt }),
    lateOfEnded: aSubscription({ ...of, planId: brief.id, status: 'unpaid', late }),
    neverBuilt: aCheckout({ ...of, ...waits }),
    pulling: aSubscription({
      ...{ ...of, projectId: small.projectId, planId: small.id, status: 'unpaid' },
      late: { ...late, automatic: null, deadline: new Date(of.createdAt.getTime() + 20 * DAY) },
    }),
  };
  for (const [name, row] of Object.entries(rows)) {
    const externalId = `customer-${name}`;
    const transfers = name === 'pulling' ? [aTransfer({ subscriptionId: row.id })] : [];
    await store.commit([aCommit({ ...row, externalId }, { transfers })]);
    const project = name === 'pulling' ? 'free' : 'business';
    const { id, wallet } = row;
    subscriptions.set(name, { id, project, plan: 'pro', signer: null, wallet, externalId });
  }
  for (let open = 0; open < 10; open++)
    await store.commit([aCommit(aCheckout({ ...of, ...waits, externalId: CUSTOMER_AT_CAP }))]);
  const events = await billing.project(projects.business).events.list({ limit: 100 });
  const attempts = await Promise.all(
    [...subscriptions.values()].map(async ({ id, project }) => {
      const { data } = await billing.project(projects[project]).subscriptions.attempts(id);
      return data.map((attempt) => attempt.id);
    }),
  );
  await billing.project(projects.business).endpoints.create({
    url: 'https://hooks.example.com/subrail',
    types: ['subscription.renewed', 'subscription.payment_failed'],
  });

  const [revoked, ...keys] = await Promise.all(
    ['business' as const, ...PROJECTS].map((name) => billing.project(projects[name]).keys.create()),
  );
  const [business, free, crowded] = keys;
  if (revoked === undefined || business === undefined || free === undefined || crowded === undefined)
    throw new Error('Every project must have a key.');
  await billing.project(projects.business).keys.revoke(revoked.id);
  const newWallets = [
    await world.wallet(10n * PRICE),
    await world.wallet(10n * PRICE),
    await world.wallet(0n),
  ];
  return {
    world,
    subscriptions,
    issued,
    keys: { business: business.key, free: free.key, full: crowded.key, revoked: revoked.key },
    newWallets,
    events: events.data.map(({ id }) => id),
    attempts: attempts.flat(),
    plans: [
      ...[
        'pro',
        'brief',
        'gone',
        'replaced',
        'unlisted',
        'delisted',
        'vanished',
        'swapped',
        'no-more',
        'soon',
      ],
      ...['no-token', 'no-receiver', 'draft', 'small', 'crowded'],
    ],
  };
}
