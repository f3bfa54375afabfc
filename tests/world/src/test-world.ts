import { address, generateKeyPairSigner, type KeyPairSigner, type Rpc, type SolanaRpcApi } from '@solana/kit';
import type { Billing, DeliveryPass, PlanInput, PlanWire, TierName } from '@subrail/core';
import type { SubscriptionEvent, Plan, ProjectId, Store } from '@subrail/core/ports';
import type { Localnet } from '@subrail/localnet';
import { publishPlan, type TestLog } from '@subrail/testing/service';

import { issueCheckout, submitCheckout } from './checkouts.js';
import { createExtendedMint, extendedTokenActions, type ExtendedTokenActions } from './extended-token.js';
import { createFaultyChain, type ChainFault } from './faulty-chain.js';
import { createCall, type Call } from './http-calls.js';
import { outsideActions, type OutsideActions } from './outside-actions.js';
import { openTestService, type TestServiceOptions } from './test-service.js';
import { createMint, mintTo, sendTokens, tokenBalanceOf, type WorldToken } from './token.js';
import { PRICE } from './units.js';

export interface TestWorldOptions extends TestServiceOptions {
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

/** A test service with one project, its published plan `pro`, and wallets: called over HTTP, with moved time. */
export interface TestWorld {
  readonly billing: Billing;
  readonly store: Store;
  readonly localnet: Localnet;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly token: WorldToken;
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
  /** Runs charge passes until one finds nothing due, moving time on where the next work is due within seconds. */
  work(): Promise<void>;
  /** Runs a delivery pass while time stands still, because posting a webhook takes real time. */
  deliver(): Promise<DeliveryPass>;
  readonly call: Call;
  /** Another host of the same service, on its own store, which reads and writes the same data. */
  host(store: Store): { readonly billing: Billing; readonly call: Call };
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
  /** Acts a second later: the service tells apart, and orders, what happened at different times of the chain. */
  readonly inNewBlock: <T>(act: () => Promise<T>) => Promise<T>;
  /** Creates, signs and submits a checkout; returns the id of the subscription. */
  subscribe(wallet: KeyPairSigner, externalId?: string): Promise<string>;
  /** The transaction with which a wallet cancels on chain without the service; null when the chain does not answer. */
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
  /** Removes the logged errors that contain a text. Any other logged error fails the test when the world closes. */
  forgiveErrors(containing: string): void;
  close(): Promise<void>;
}

export async function openTestWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  const faults = createFaultyChain();
  const service = await openTestService({
    ...options,
    wrapChain: (chain) => faults.wrap(options.wrapChain?.(chain) ?? chain),
  });
  const { billing, store, localnet, rpc, charger, clock } = service;
  const [owner, mint, otherWallet] = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ]);
  localnet.airdrop(owner.address, 10_000_000_000n);
  const { token: kind = 'classic' } = options;
  const token =
    kind === 'classic'
      ? await createMint(rpc, owner, mint)
      : await createExtendedMint(rpc, owner, mint, kind === 'extended' ? null : 100);
  // Written, because a transaction for each takes a tenth of the time of most tests.
  const setHolding = ({ address }: KeyPairSigner, amount: bigint) =>
    localnet.setTokenAccount(address, token.mint, { amount }, token.program);
  for (const receiver of [owner, otherWallet]) setHolding(receiver, 0n);

  const planInput = (slug: string, more: Partial<PlanInput> = {}) => ({
    name: slug,
    owner: owner.address,
    mint: token.mint,
    amount: PRICE.toString(),
    period_hours: 720,
    ...more,
    slug,
  });
  const project = await billing.projects.create({ name: 'Night Library', tier: options.tier ?? 'business' });
  await publishPlan(
    service,
    project.id,
    owner,
    planInput('pro', {
      name: 'Pro',
      period_hours: options.periodHours ?? 720,
      ...(options.endsAfter === undefined
        ? {}
        : { ends_at: new Date(localnet.now().getTime() + options.endsAfter).toISOString() }),
      ...(options.ownerOnly === true ? { destinations: [owner.address] } : {}),
      operator_plan: options.operatorPlan ?? false,
    }),
  );
  const { key } = await billing.project(project.id).keys.create();
  const call = createCall(billing, key);

  const holding: TestWorld['holding'] = (wallet) => tokenBalanceOf(rpc, token, wallet.address);

  const inNewBlock: TestWorld['inNewBlock'] = (act) => {
    clock.advance(1000);
    return act();
  };

  const plan: TestWorld['plan'] = async (slug, projectId = project.id) => {
    const found = await store.findPlanBySlug(projectId as ProjectId, slug);
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
      project.id as ProjectId,
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
    projectId: project.id,
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
    publishPlan: (projectId, slug, more) =>
      inNewBlock(() => publishPlan(service, projectId, owner, planInput(slug, more))),
    async wallet(tokens, given) {
      const wallet = given ?? (await generateKeyPairSigner());
      localnet.airdrop(wallet.address, 1_000_000_000n);
      setHolding(wallet, given === undefined ? tokens : tokens + (await holding(wallet)));
      return wallet;
    },
    give: (wallet, amount) => inNewBlock(() => mintTo(rpc, token, wallet.address, amount)),
    take: (wallet, amount) => inNewBlock(() => sendTokens(rpc, token, wallet, otherWallet.address, amount)),
    async subscribe(wallet, externalId) {
      const checkout = await issueCheckout({ call }, wallet, externalId);
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
    close: service.close,
  };
}
