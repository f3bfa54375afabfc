import { generateKeyPairSigner, lamports, type KeyPairSigner } from '@solana/kit';
import { createHandler, type Billing, type TierName } from '@subrail/core';
import type { Chain, SubscriptionEvent, HttpSender, ProjectId, Store } from '@subrail/core/ports';
import { localnetRpc, type Localnet } from '@subrail/localnet';
import { ensureMint, tokenBalanceOf, mintTo, sendTokens, type DemoToken } from '@subrail/host-node/local';
import { sendTransaction, signTransaction, signMessage } from '@subrail/host-node/local';
import type { DevelopmentRpc } from '@subrail/host-node/local';
import { openMovingService } from './moving-service.js';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const PRICE = 5_000_000n;

export interface WorldOptions {
  /** Where rows are kept: in memory unless told, or in a store the test opened and closes itself. */
  readonly store?: 'memory' | 'sqlite' | Store;
  /** Where the SQLite store's file is; in memory unless given. */
  readonly path?: string;
  readonly tier?: TierName;
  /** Stands between the service and the chain: for faults. */
  readonly chain?: (chain: Chain) => Chain;
  readonly sender?: HttpSender;
  readonly periodHours?: number;
  /** The plan ends so long after the world begins. */
  readonly endsAfter?: number;
  /** How far the service's clock is ahead of the chain's. */
  readonly skewMs?: number;
  /** Only the owner's wallet may receive. */
  readonly ownerOnly?: boolean;
  /** The plan is the operator's own tier plan. */
  readonly operatorPlan?: boolean;
}

/** One route of the contract, with the project's key. */
export type Call = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => Promise<{ status: number; body: Record<string, unknown> }>;

/** The whole service over HTTP requests, the real Solana adapter and a local chain, with time that moves when told. */
export interface World {
  readonly billing: Billing;
  readonly store: Store;
  readonly chain: Localnet;
  readonly rpc: DevelopmentRpc;
  readonly token: DemoToken;
  readonly owner: KeyPairSigner;
  readonly charger: KeyPairSigner;
  readonly projectId: string;
  /** The service's clock. */
  now(): Date;
  /** What the chain's clock shows when the service's shows this. */
  onChain(instant: Date): Date;
  /** Moves the chain and the service together. */
  advance(ms: number): void;
  /** Runs charge passes until one finds nothing due, moving time by the looks between them. */
  work(): Promise<void>;
  readonly call: Call;
  /** Another host of the same service, on a store of its own that reads and writes the same data. */
  host(store: Store): { readonly billing: Billing; readonly call: Call };
  /** A wallet with tokens and lamports, of a key of its own unless one is given. */
  wallet(tokens: bigint, key?: KeyPairSigner): Promise<KeyPairSigner>;
  holding(wallet: KeyPairSigner): Promise<bigint>;
  give(wallet: KeyPairSigner, amount: bigint): Promise<void>;
  /** The wallet sends tokens to somebody else. */
  take(wallet: KeyPairSigner, amount: bigint): Promise<void>;
  /** Does something a second later: the same transaction twice on one blockhash would be one transaction. */
  readonly inANewSlot: <T>(act: () => Promise<T>) => Promise<T>;
  /** Create, sign, submit; answers the subscription's id. */
  subscribe(wallet: KeyPairSigner, externalId?: string): Promise<string>;
  /** The transaction with which a wallet cancels on chain without the service; null when the chain does not answer. */
  buildCancel(wallet: KeyPairSigner): Promise<string | null>;
  /** Every event of the project so far, oldest first, by its short name. */
  events(): Promise<readonly string[]>;
  /** The same as they are stored, those past their thirty days in the list included. */
  storedEvents(): Promise<readonly SubscriptionEvent[]>;
  /** Forgets the errors the service logged that tell of a fault a test provoked. All others fail it at the end. */
  forgiveErrors(told: string): void;
  close(): Promise<void>;
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const service = await openMovingService({
    ...(options.store === undefined ? {} : { store: options.store }),
    ...(options.path === undefined ? {} : { path: options.path }),
    ...(options.chain === undefined ? {} : { chain: options.chain }),
    ...(options.skewMs === undefined ? {} : { skewMs: options.skewMs }),
    ...(options.sender === undefined ? {} : { ports: { sender: options.sender } }),
  });
  const { billing, store, localnet: chain, charger, advance } = service;
  const rpc = localnetRpc(chain) as DevelopmentRpc;
  const [owner, mint, elsewhere] = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ]);
  await rpc.requestAirdrop(owner.address, lamports(10_000_000_000n)).send();
  const token = await ensureMint(rpc, mint, { decimals: 6, authority: owner });
  await mintTo(rpc, token, owner.address, 0n);
  await mintTo(rpc, token, elsewhere.address, 0n);
  const inANewSlot: World['inANewSlot'] = (act) => {
    advance(1000);
    return act();
  };
  const project = await billing.projects.create({ name: 'Night Library', tier: options.tier ?? 'business' });
  await billing.plans.create(project.id, {
    name: 'Pro',
    owner: owner.address,
    mint: token.mint,
    amount: PRICE.toString(),
    period_hours: options.periodHours ?? 720,
    ...(options.endsAfter === undefined
      ? {}
      : { ends_at: new Date(chain.now().getTime() + options.endsAfter).toISOString() }),
    ...(options.ownerOnly === true ? { destinations: [owner.address] } : {}),
    operator_plan: options.operatorPlan ?? false,
  });
  const { transaction } = await billing.plans.publish(project.id, 'pro');
  await sendTransaction(rpc, await signTransaction(owner, transaction));
  await billing.plans.confirmPublish(project.id, 'pro');
  const { key } = await billing.keys.create(project.id);
  const callOf = (host: Billing): Call => {
    const handler = createHandler(host);
    return async (method, path, body) => {
      const response = await handler(
        new Request(`http://subrail.test/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
        { ip: '203.0.113.7' },
      );
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
  };
  const call = callOf(billing);

  const storedEvents = async () => {
    const page = await store.listEvents(
      project.id as ProjectId,
      new Date(0),
      { type: null, subscriptionId: null },
      { limit: 100, startingAfter: null },
    );
    if (page === 'unknown_cursor') throw new Error('no cursor was given');
    return [...page.data].reverse();
  };

  return {
    billing,
    store,
    chain,
    rpc,
    token,
    owner,
    charger,
    projectId: project.id,
    now: service.now,
    onChain: (instant) => new Date(instant.getTime() - (options.skewMs ?? 0)),
    advance,
    call,
    host(own) {
      const another = service.billingOn(own);
      return { billing: another, call: callOf(another) };
    },
    work: service.work,
    async wallet(tokens, key) {
      const wallet = key ?? (await generateKeyPairSigner());
      await rpc.requestAirdrop(wallet.address, lamports(1_000_000_000n)).send();
      await mintTo(rpc, token, wallet.address, tokens);
      return wallet;
    },
    holding: async (wallet) => (await tokenBalanceOf(rpc, token, wallet.address)) ?? 0n,
    give: (wallet, amount) => inANewSlot(() => mintTo(rpc, token, wallet.address, amount)),
    take: (wallet, amount) => inANewSlot(() => sendTokens(rpc, token, wallet, elsewhere.address, amount)),
    inANewSlot,
    async subscribe(wallet, externalId = 'customer-1') {
      const created = await call('POST', '/subscriptions', {
        plan: 'pro',
        wallet: wallet.address,
        external_id: externalId,
      });
      if (created.status !== 201) throw new Error(`create: ${JSON.stringify(created.body)}`);
      const { subscription, transaction, terms } = created.body as {
        subscription: { id: string };
        transaction: string;
        terms: { message: string };
      };
      const submitted = await call('POST', `/subscriptions/${subscription.id}/submit`, {
        transaction: await signTransaction(wallet, transaction),
        terms_signature: await signMessage(wallet, terms.message),
      });
      if (submitted.status !== 201) throw new Error(`submit: ${JSON.stringify(submitted.body)}`);
      return subscription.id;
    },
    async buildCancel(wallet) {
      const plan = await store.findPlanBySlug(project.id as ProjectId, 'pro');
      if (plan?.createdOnChainAt == null) throw new Error('the plan is published');
      const built = await service.adapter.build({
        kind: 'cancel',
        wallet: wallet.address,
        plan: { ...plan, createdAt: plan.createdOnChainAt, receiver: plan.owner },
      });
      return built.ok ? built.value.transaction : null;
    },
    events: async () => (await storedEvents()).map(({ type }) => type.replace('subscription.', '')),
    storedEvents,
    forgiveErrors: service.forgiveErrors,
    close: service.close,
  };
}
