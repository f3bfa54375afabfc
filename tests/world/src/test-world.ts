import { address, generateKeyPairSigner, type KeyPairSigner, type Rpc, type SolanaRpcApi } from '@solana/kit';
import type { Billing } from '@subrail/core';
import type { PlanInput, PlanWire, TierName } from '@subrail/core/schemas';
import type { SubscriptionEvent, Plan, ProjectId, FullStore } from '@subrail/core/ports';
import {
  createLocalnet,
  createMint,
  mintTo,
  sendTokens,
  tokenBalanceOf,
  type Localnet,
  type Token,
} from '@subrail/localnet';
import { openLocalService, publishPlan, type LocalServiceOptions, type TestLog } from '@subrail/testing';

import { onTestFinished, TestRunner } from 'vitest';

import { callsAnswered } from './calls-under-way.js';
import { issueCheckout, submitCheckout } from './checkouts.js';
import { createExtendedMint, extendedTokenActions, type ExtendedTokenActions } from './extended-token.js';
import { createFaultyChain, type ChainFault } from './faulty-chain.js';
import { createCall, type Call } from './http-calls.js';
import { openStage, type OpenStage, type Stage, type Step } from './kept-stages.js';
import { outsideActions, type OutsideActions } from './outside-actions.js';
import type { TestStoreChoice } from './test-store.js';
import { PRICE } from './units.js';

export interface TestWorldOptions extends Omit<
  LocalServiceOptions,
  'store' | 'idle' | 'localnet' | 'charger' | 'random' | 'seed' | 'startAt'
> {
  /** A new store in memory by default. */
  readonly store?: TestStoreChoice;
  /** Where the SQLite store's file is; in memory by default. */
  readonly path?: string;
  readonly tier?: TierName;
  readonly periodHours?: number;
  /** The plan ends this long after the world begins. */
  readonly endsAfter?: number;
  /** Only the owner's wallet may receive. */
  readonly ownerOnly?: boolean;
  /** The plan is the operator's own tier plan. */
  readonly operatorPlan?: boolean;
  /** What the plan is paid in; a token of the classic token program by default. */
  readonly token?: 'classic' | 'extended' | 'extended, with a fee of 1 %';
}

/** A service with one project, its published plan `pro`, and wallets: called over HTTP, with moved time. */
export interface TestWorld {
  readonly billing: Billing;
  readonly store: FullStore;
  readonly localnet: Localnet;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly token: Token;
  /** Owns the plans and receives what is paid. */
  readonly owner: KeyPairSigner;
  readonly charger: KeyPairSigner;
  readonly projectId: string;
  /** The service's clock. */
  now(): Date;
  /** What the chain's clock shows when the service's clock shows `instant`. */
  chainTime(instant: Date): Date;
  /** Moves the chain and the service together. */
  advance(ms: number): void;
  /** Runs charge passes until nothing is due; time moves on where the next work is due within seconds. */
  work(): Promise<void>;
  /** Runs a delivery pass while time stands still, because posting a webhook takes real time. */
  deliver: Billing['worker']['deliver'];
  readonly call: Call;
  /** Another host of the same service, on its own store, which reads and writes the same data. */
  host(store: FullStore): { readonly billing: Billing; readonly call: Call };
  /** Injects faults into the service's chain, instead of those injected before. */
  injectFaults(...faults: readonly ChainFault[]): void;
  clearFaults(): void;
  /** Creates and publishes a plan of the world's owner, at `PRICE` for each 720 hours by default. */
  publishPlan(projectId: string, slug: string, more?: Partial<PlanInput>): Promise<PlanWire>;
  plan(slug: string, projectId?: string): Promise<Plan>;
  /** A wallet with tokens and lamports; its key is a new one by default. */
  wallet(tokens: bigint, key?: KeyPairSigner): Promise<KeyPairSigner>;
  /** How many tokens a wallet holds. */
  holding(wallet: KeyPairSigner): Promise<bigint>;
  give(wallet: KeyPairSigner, amount: bigint): Promise<void>;
  /** The wallet sends tokens to another wallet. */
  take(wallet: KeyPairSigner, amount: bigint): Promise<void>;
  /** Acts a second later: the service tells apart and orders what happened at different chain times. */
  readonly inNewBlock: <T>(act: () => Promise<T>) => Promise<T>;
  /** Creates, signs and submits a checkout; returns the id of the subscription. */
  subscribe(wallet: KeyPairSigner, externalId?: string, email?: string): Promise<string>;
  /** The transaction by which a wallet cancels without the service; null when the chain does not answer. */
  buildCancel(wallet: KeyPairSigner): Promise<string | null>;
  /** What the issuer of an extended token and the receiving wallet can do. */
  readonly extendedToken: ExtendedTokenActions;
  /** What others can do on chain to this wallet's subscription, without the service. */
  outside(wallet: KeyPairSigner, slug?: string): Promise<OutsideActions>;
  /** Every event of the project so far, oldest first, by its short name. */
  events(): Promise<readonly string[]>;
  /** The same events as stored records, including those that are too old for the list. */
  storedEvents(): Promise<readonly SubscriptionEvent[]>;
  /** What the service logged. */
  readonly log: TestLog;
  /** Removes the logged errors that contain a text. Any other fails the test when the world closes. */
  forgiveErrors(containing: string): void;
  /**
   * Closes the world; fails after logged errors that were not forgiven. A world that a test opened closes at
   * the test's end.
   */
  close(): Promise<void>;
}

/** Who and what is in every world. */
interface WorldFacts {
  readonly owner: KeyPairSigner;
  readonly charger: KeyPairSigner;
  /** Gets what other wallets send away. */
  readonly otherWallet: KeyPairSigner;
  readonly token: Token;
  readonly projectId: string;
  readonly key: string;
}

/**
 * A step that is played before a test gets the world. The name says all that the step depends on besides the
 * options.
 */
export interface WorldStep<Made> {
  readonly name: string;
  readonly play: (world: TestWorld) => Promise<Made>;
}

/** The options on which depends what is played. */
const PLAYED = ['skewMs', 'tier', 'periodHours', 'endsAfter', 'ownerOnly', 'operatorPlan', 'token'] as const;

/** Opens a world with a project and its published plan. */
export async function openTestWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  return (await openWorldAfter(options)).world;
}

/**
 * Opens a world in which a step was played after its plan was published, and returns the step's result.
 * Faults, ports and wrappers of the options are there only afterwards.
 */
export async function openWorldAfter<Made>(
  options: TestWorldOptions,
  step?: WorldStep<Made>,
): Promise<{ readonly world: TestWorld; readonly made: Made }> {
  const { store = 'memory', path, programs } = options;
  const plain: TestWorldOptions = Object.fromEntries(PLAYED.map((name) => [name, options[name]]));
  const stage = await openStage<WorldFacts & { readonly made: Made }>(
    {
      ...{ store, path },
      given: { ...plain, programs: numberOf(programs) },
      createChain: () =>
        createLocalnet({ seed: new Uint8Array(32).fill(7), ...(programs === undefined ? {} : { programs }) }),
    },
    [
      { name: 'plan', play: (opened) => playPlan(opened, plain) },
      ...(step === undefined ? [] : [playedInWorld(step, plain)]),
    ],
  );
  return { world: await openWorldOn(stage, options), made: stage.facts.made };
}

/** The programs that tests of this process gave. Others have another number, under whatever addresses. */
const programsGiven: unknown[] = [undefined];

function numberOf(programs: TestWorldOptions['programs']): number {
  if (!programsGiven.includes(programs)) programsGiven.push(programs);
  return programsGiven.indexOf(programs);
}

function playedInWorld<Made>({ name, play }: WorldStep<Made>, options: TestWorldOptions): Step {
  return {
    name,
    async play(stage: OpenStage<WorldFacts>) {
      const world = await openWorldOn({ ...stage, close: () => Promise.resolve() }, options);
      const made = await play(world);
      await world.close();
      return { ...stage.facts, made };
    },
  };
}

/** Creates the token, the project and its plan. */
async function playPlan(
  { store, localnet, random }: OpenStage<object>,
  options: TestWorldOptions,
): Promise<WorldFacts> {
  const [owner, mint, otherWallet, charger] = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ]);
  const service = await openLocalService({
    ...{ store, localnet, charger, random },
    ...(options.skewMs === undefined ? {} : { skewMs: options.skewMs }),
  });
  const { billing, rpc } = service;
  for (const signer of [charger, owner]) localnet.airdrop(signer.address, 10_000_000_000n);
  const { token: kind = 'classic' } = options;
  const token =
    kind === 'classic'
      ? await createMint(rpc, owner, mint)
      : await createExtendedMint(rpc, owner, mint, kind === 'extended' ? null : 100);
  for (const { address } of [owner, otherWallet])
    localnet.setTokenAccount(address, token.mint, { amount: 0n }, token.program);
  const { id: projectId } = await billing.projects.create({
    name: 'Night Library',
    tier: options.tier ?? 'business',
  });
  await publishPlan(
    service,
    projectId,
    owner,
    planInput(owner, token, 'pro', {
      name: 'Pro',
      period_hours: options.periodHours ?? 720,
      ...(options.endsAfter === undefined
        ? {}
        : { ends_at: new Date(localnet.now().getTime() + options.endsAfter).toISOString() }),
      ...(options.ownerOnly === true ? { destinations: [owner.address] } : {}),
      operator_plan: options.operatorPlan ?? false,
    }),
  );
  const { key } = await billing.project(projectId).keys.create();
  await service.close();
  return { owner, charger, otherWallet, token, projectId, key };
}

const planInput = (
  { address: owner }: KeyPairSigner,
  { mint }: Token,
  slug: string,
  more: Partial<PlanInput> = {},
) => ({ name: slug, owner, mint, amount: PRICE.toString(), period_hours: 720, ...more, slug });

async function openWorldOn(stage: Stage<WorldFacts>, options: TestWorldOptions): Promise<TestWorld> {
  const { owner, charger, otherWallet, token, projectId, key } = stage.facts;
  const { localnet, store, random } = stage;
  const faults = createFaultyChain();
  const service = await openLocalService({
    ...options,
    ...{ store, localnet, charger, random, idle: callsAnswered },
    wrapChain: (chain) => faults.wrap(options.wrapChain?.(chain) ?? chain),
  });
  const { billing, rpc, clock } = service;
  const call = createCall(billing, key);
  // Written, because a transaction for each takes a tenth of the time of most tests.
  const setHolding = ({ address }: KeyPairSigner, amount: bigint) =>
    localnet.setTokenAccount(address, token.mint, { amount }, token.program);

  let closing: Promise<void> | null = null;
  const close = () => (closing ??= stage.close().then(service.close));
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(close);

  const holding: TestWorld['holding'] = async (wallet) =>
    (await tokenBalanceOf(rpc, token, wallet.address)) ?? 0n;

  const inNewBlock: TestWorld['inNewBlock'] = (act) => {
    clock.advance(1000);
    return act();
  };

  const plan: TestWorld['plan'] = async (slug, id = projectId) => {
    const found = await store.findPlanBySlug(id as ProjectId, slug);
    if (found === null) throw new Error(`The project has no plan ${slug}.`);
    return found;
  };

  const publishedPlan = async (slug: string) => {
    const found = await plan(slug);
    if (found.createdOnChainAt === null) throw new Error(`The plan ${slug} is not published.`);
    return { ...found, createdAt: found.createdOnChainAt };
  };

  const storedEvents = async () => {
    const page = await store.listEvents(
      projectId as ProjectId,
      new Date(0),
      { type: null, subscriptionId: null },
      { limit: 100_000, startingAfter: null },
    );
    if (page === 'unknown_cursor') throw new Error('The first page of the events was refused.');
    return [...page.data].reverse();
  };

  return {
    ...{ billing, store, localnet, rpc, token, owner, charger },
    ...{ call, plan, holding, inNewBlock, storedEvents },
    projectId,
    now: () => clock.now(),
    chainTime: (instant) => new Date(instant.getTime() - (options.skewMs ?? 0)),
    advance: clock.advance,
    work: service.work,
    deliver: () => clock.whileFrozen(() => billing.worker.deliver()),
    host(hostStore) {
      const another = service.billingOn(hostStore);
      return { billing: another, call: createCall(another, key) };
    },
    injectFaults: faults.inject,
    clearFaults: () => {
      faults.inject();
    },
    publishPlan: (of, slug, more) =>
      inNewBlock(() => publishPlan(service, of, owner, planInput(owner, token, slug, more))),
    async wallet(tokens, given) {
      const wallet = given ?? (await generateKeyPairSigner());
      localnet.airdrop(wallet.address, 1_000_000_000n);
      setHolding(wallet, given === undefined ? tokens : tokens + (await holding(wallet)));
      return wallet;
    },
    give: (wallet, amount) => inNewBlock(() => mintTo(rpc, token, wallet.address, amount)),
    take: (wallet, amount) => inNewBlock(() => sendTokens(rpc, token, wallet, otherWallet.address, amount)),
    async subscribe(wallet, externalId, email) {
      const checkout = await issueCheckout({ call }, wallet, externalId, email);
      const { status, body } = await submitCheckout({ call }, wallet, checkout);
      if (status !== 201) throw new Error(`submit answered ${status}: ${JSON.stringify(body)}`);
      return checkout.subscription.id;
    },
    async buildCancel(wallet) {
      const published = await publishedPlan('pro');
      const built = await service.adapter.build({
        kind: 'cancel',
        wallet: wallet.address,
        plan: { ...published, receiver: published.owner },
      });
      return built.ok ? built.value.transaction : null;
    },
    extendedToken: extendedTokenActions(rpc, token, owner, {
      inNewBlock,
      put: (account, data) => localnet.setAccount(account, { data }),
      dataOf: (account) => localnet.getAccount(account)?.data ?? new Uint8Array(),
    }),
    async outside(wallet, slug = 'pro') {
      const { number, amount, periodHours, createdAt, ...published } = await publishedPlan(slug);
      return outsideActions({
        ...{ rpc, token, owner, wallet, inNewBlock },
        plan: {
          ...{ address: address(published.address), planId: number, amount, periodHours },
          createdAt: BigInt(createdAt.getTime()) / 1000n,
          charger: charger.address,
        },
        put: async (account, parts) => localnet.setAccount(account, parts),
      });
    },
    events: async () => (await storedEvents()).map(({ type }) => type.replace('subscription.', '')),
    log: service.log,
    forgiveErrors: service.log.forgiveErrors,
    close,
  };
}
