import type { Billing, BillingPorts, FetchHandler, ProjectBilling } from '@subrail/core';
import {
  type EventWire,
  type PlanInput,
  type PlanWire,
  type SubscriptionWire,
  type TierName,
  EventType,
} from '@subrail/core/schemas';
import type { ChainUnavailable } from '@subrail/core/ports';
import { SeededRandom } from '@subrail/core/testing';
import type { Localnet } from '@subrail/localnet';

import { endOf, notBefore, type Duration } from './duration.js';
import { createEventHistory } from './event-history.js';
import { withOutages } from './service/chain-outages.js';
import { openLocalService } from './service/local-service.js';
import { publishPlan } from './service/publish-plan.js';
import { createSubscriber } from './subscriber.js';
import { createTestToken } from './test-token.js';
import { newKey, walletOf, type TestWallet } from './test-wallet.js';
import { tokenPorts } from './token-facts.js';
import {
  createWebhookRecorder,
  type TestWebhook,
  type WebhookFailure,
  type WebhookReceiver,
} from './webhook-recorder.js';

/** The options of `createTestBilling`. Each has a default. */
export interface TestBillingOptions {
  /** The start of the test, in whole seconds; 2026-01-01T00:00:00Z by default. */
  readonly startAt?: Date;
  /** The tier of the project, which sets limits and automatic retries; `business` by default. */
  readonly tier?: TierName;
  /** Changes of the default plan. */
  readonly plan?: TestPlan;
  /** Answers the webhooks: the handler of your app. By default they are answered 200. */
  readonly receive?: WebhookReceiver;
  /** The settings of the service, such as `serviceName`. */
  readonly settings?: BillingPorts['settings'];
  /** Another seed gives other ids and addresses; 1 by default. */
  readonly seed?: number;
}

/** A plan for a test: what `plans.create` takes, except that the owner and the token are the test's. */
interface TestPlan extends Partial<Omit<PlanInput, 'owner' | 'mint' | 'amount'>> {
  /** The price of a period in the token's smallest unit; 5,000,000n, which is 5 tokens, by default. */
  readonly amount?: bigint;
}

/** A checkout. Every part has a default. */
interface TestCheckout {
  /** The slug of the plan; the default plan without it. */
  readonly plan?: string;
  /** The wallet that signs and pays; a new one with 1,000 tokens by default. */
  readonly wallet?: TestWallet;
  /** Your own id of the customer; without it and without an email, `customer-1`, `customer-2` and so on. */
  readonly external_id?: string;
  readonly email?: string;
}

/** A wallet of the test, or a subscription, which stands for the wallet that pays it. */
type Payer = TestWallet | Pick<SubscriptionWire, 'wallet'>;

/**
 * The real service for the tests of an app: a store in memory, the real Solana adapter, and a local chain in
 * this process that executes every transaction. Nothing waits, because the test moves the time of both.
 * Nothing is random: ids, keys and addresses are the same in every run.
 */
export interface TestBilling {
  /** The service, as your app uses it. */
  readonly billing: Billing;
  /** The project of the test, as functions. */
  readonly project: ProjectBilling;
  readonly projectId: string;
  /** A key of the project, for calls to the handler. */
  readonly apiKey: string;
  /** Serves the HTTP contract: `billing.handler`. */
  readonly handler: FetchHandler;
  /** The plan that exists from the beginning, `pro`: 5 tokens every 30 days. */
  readonly defaultPlan: PlanWire;
  /** Owns the plans and receives what is paid. */
  readonly owner: TestWallet;
  /** The signing secret of the endpoint that receives every event of the project. */
  readonly webhookSecret: string;
  /** The local chain, for what the functions here do not do. Move time with the functions here only. */
  readonly localnet: Localnet;

  /** The time of the service and of the chain. */
  now(): Date;
  /**
   * Moves time forward through everything that becomes due on the way: charges, retries and webhook
   * deliveries, each at its own time. `advance(0)` does what is due now. Time ends up to a few seconds later
   * when a charge that was just sent waits for its outcome.
   *
   * @example
   * await using test = await createTestBilling();
   * await test.advance('30d');
   * await test.advance('1mo'); // the same day of the next month
   */
  advance(duration: Duration): Promise<void>;
  /** Moves time forward to a date, as `advance` does. Throws a RangeError for a date before `now`. */
  advanceTo(date: Date): Promise<void>;
  /**
   * Moves time forward to the next charge of a subscription, as `advance` does, and returns the subscription
   * after it. Throws when none is due, as after a cancellation.
   *
   * @example
   * await using test = await createTestBilling();
   * const { payment_status } = await test.advanceToRenewal(await test.subscribe());
   */
  advanceToRenewal(subscription: Pick<SubscriptionWire, 'id'>): Promise<SubscriptionWire>;

  /** Publishes a plan on chain and returns it. Its slug is `plan-2`, `plan-3` and so on unless it has one. */
  plan(plan?: TestPlan): Promise<PlanWire>;
  /** Makes a wallet with SOL for fees and a balance in the token's smallest unit, by default 1,000 tokens. */
  wallet(options?: { readonly balance?: bigint }): Promise<TestWallet>;
  /** The wallet that pays a subscription. Throws when the test did not make it. */
  walletOf(subscription: Pick<SubscriptionWire, 'wallet'>): TestWallet;
  /** Adds to what a wallet holds, in the token's smallest unit. */
  fund(payer: Payer, amount: bigint): Promise<void>;
  /** Takes everything that a wallet holds of the token, so that its next charge is rejected. */
  emptyWallet(payer: Payer): Promise<void>;

  /**
   * Subscribes a wallet: creates the checkout, signs it, submits it, and delivers its webhooks. Returns the
   * active subscription. A wallet whose subscription to the plan stopped comes back by it. Throws the
   * service's `ServiceError` when it refuses.
   */
  subscribe(checkout?: TestCheckout): Promise<SubscriptionWire>;
  /** Cancels as the wallet: builds, signs, sends and confirms. Returns the cancelled subscription. */
  cancel(subscription: Pick<SubscriptionWire, 'id' | 'wallet'>): Promise<SubscriptionWire>;
  /** Takes a cancellation back as the wallet, before its end. Returns the active subscription. */
  resume(subscription: Pick<SubscriptionWire, 'id' | 'wallet'>): Promise<SubscriptionWire>;
  /** Closes a cancelled subscription as the wallet, after its end. Returns the ended subscription. */
  closeSubscription(subscription: Pick<SubscriptionWire, 'id' | 'wallet'>): Promise<SubscriptionWire>;

  /** Every event of the project so far, oldest first, however old. */
  events(): Promise<readonly EventWire[]>;
  /**
   * Every webhook posted so far, repeated attempts included. Each one's signature was verified. They are in
   * the order in which they were posted; those of one second are in the order of their events, which no
   * endpoint can rely on.
   */
  webhooks(): readonly TestWebhook[];
  /** Fails the next `times` webhooks, or all until `acceptWebhooks`: by a status or a missing answer. */
  failWebhooks(failure: WebhookFailure, times?: number): void;
  /** Ends `failWebhooks`. */
  acceptWebhooks(): void;
  /** Makes the chain's RPC unavailable: reads get no answer, and what is sent is lost. */
  breakChain(): void;
  /** Ends `breakChain`. */
  repairChain(): void;

  /**
   * Ends the test. Throws when the service logged an error, apart from those it logged while the chain was
   * broken, so that no fault passes unnoticed.
   */
  close(): Promise<void>;
  /** Calls `close` at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

const DEFAULT_AMOUNT = 5_000_000n;
const DEFAULT_BALANCE = 1_000_000_000n;
/** Enough for every fee and deposit of a long test. */
const WALLET_LAMPORTS = 10_000_000_000n;
const WEBHOOK_URL = 'https://app.example.com/webhooks';
/** The events are read at least this often, because the service lists them for 30 days only. */
const READ_EVENTS_EVERY_MS = 7 * 24 * 3_600_000;

/**
 * Creates the service, a project with a published plan, and an endpoint for all of its events.
 *
 * @example
 * const test = await createTestBilling();
 * const subscription = await test.subscribe({ external_id: 'customer-42' });
 * await test.emptyWallet(subscription);
 * await test.advance('30d');
 * console.log((await test.project.subscriptions.retrieve(subscription.id)).status); // unpaid
 * await test.close();
 */
export async function createTestBilling(options: TestBillingOptions = {}): Promise<TestBilling> {
  const { seed = 1 } = options;
  const keys = new SeededRandom(~seed);
  const [charger, owner, mint] = [await newKey(keys), await newKey(keys), await newKey(keys)];
  /** The outage of the chain, with the number of errors that were logged before it. */
  const outage: { current: ChainUnavailable | null; errorsBefore: number } = {
    current: null,
    errorsBefore: 0,
  };
  const recorder = createWebhookRecorder(() => service.billing.service, options.receive);
  const service = await openLocalService({
    seed,
    charger,
    ...(options.startAt === undefined ? {} : { startAt: options.startAt }),
    wrapChain: (chain) => withOutages(chain, () => outage.current),
    ports: {
      sender: recorder.sender,
      ...tokenPorts(mint.address),
      ...(options.settings === undefined ? {} : { settings: options.settings }),
    },
  });
  const { billing, localnet, rpc, clock, log } = service;
  localnet.airdrop(owner.address, WALLET_LAMPORTS);
  const token = createTestToken(localnet, mint.address, owner.address);
  // Plans pay the owner, who needs a token account to receive.
  token.setBalance(owner.address, 0n);

  const { id: projectId } = await billing.projects.create({ name: 'Test', tier: options.tier ?? 'business' });
  const project = billing.project(projectId);
  const { key: apiKey } = await project.keys.create();
  const { secret } = await project.endpoints.create({ url: WEBHOOK_URL, types: [...EventType.options] });

  const history = createEventHistory(project);
  const subscriber = createSubscriber(project, rpc);
  const wallets = new Map<string, TestWallet>();
  let plans = 0;
  let customers = 0;

  /** On a new block, the same instructions are another transaction. */
  const nextBlock = () => clock.advance(1_000);

  async function workTo(target: number): Promise<void> {
    do {
      const piece = Math.min(target, clock.now().getTime() + READ_EVENTS_EVERY_MS);
      await service.workUntil(new Date(piece));
      await history.read();
    } while (clock.now().getTime() < target);
  }

  const doDueWork = () => workTo(clock.now().getTime());

  async function plan({ amount = DEFAULT_AMOUNT, ...input }: TestPlan = {}): Promise<PlanWire> {
    plans += 1;
    const slug = input.slug ?? `plan-${plans}`;
    nextBlock();
    const published = { name: slug, period_hours: 720, ...input, slug, amount: amount.toString() };
    return publishPlan(service, projectId, owner, { ...published, owner: owner.address, mint: mint.address });
  }

  async function wallet({
    balance = DEFAULT_BALANCE,
  }: { readonly balance?: bigint } = {}): Promise<TestWallet> {
    const created = walletOf(await newKey(keys), token);
    localnet.airdrop(created.signer.address, WALLET_LAMPORTS);
    token.setBalance(created.signer.address, balance);
    wallets.set(created.address, created);
    return created;
  }

  const testWallet = (payer: Payer): TestWallet => {
    if ('signer' in payer) return payer;
    const payerWallet = wallets.get(payer.wallet);
    if (payerWallet === undefined)
      throw new Error(`This test did not make the wallet ${payer.wallet}. Use test.wallet().`);
    return payerWallet;
  };

  const act =
    (action: 'cancel' | 'resume' | 'close') =>
    async (subscription: Pick<SubscriptionWire, 'id' | 'wallet'>): Promise<SubscriptionWire> => {
      nextBlock();
      const changed = await subscriber.act(action, subscription.id, testWallet(subscription));
      await doDueWork();
      return changed;
    };

  function repairChain(): void {
    if (outage.current !== null) log.errors.splice(outage.errorsBefore);
    outage.current = null;
  }

  async function close(): Promise<void> {
    repairChain();
    await service.close();
  }

  return {
    billing,
    project,
    projectId,
    apiKey,
    plan,
    wallet,
    localnet,
    close,
    handler: billing.handler,
    defaultPlan: await plan({ slug: 'pro', name: 'Pro', ...options.plan }),
    owner: walletOf(owner, token),
    webhookSecret: secret,
    now: () => clock.now(),
    advance: async (duration) => workTo(endOf(duration, clock.now())),
    advanceTo: async (date) => workTo(notBefore(clock.now(), date)),
    async advanceToRenewal({ id }) {
      const { next_charge_at, status } = await project.subscriptions.retrieve(id);
      if (next_charge_at === null)
        throw new Error(`No charge of ${id} is due at any time: its status is ${status}.`);
      await workTo(Math.max(Date.parse(next_charge_at), clock.now().getTime()));
      return project.subscriptions.retrieve(id);
    },
    walletOf: testWallet,
    async fund(payer, amount) {
      const { address } = testWallet(payer).signer;
      token.setBalance(address, (await token.balanceOf(address)) + amount);
    },
    async emptyWallet(payer) {
      token.setBalance(testWallet(payer).signer.address, 0n);
    },
    async subscribe({ plan: slug = 'pro', wallet: payer, ...customer } = {}) {
      customers += 1;
      nextBlock();
      const subscription = await subscriber.subscribe({
        plan: slug,
        wallet: payer ?? (await wallet()),
        ...(customer.external_id === undefined && customer.email === undefined
          ? { external_id: `customer-${customers}` }
          : customer),
      });
      await doDueWork();
      return subscription;
    },
    cancel: act('cancel'),
    resume: act('resume'),
    closeSubscription: act('close'),
    events: () => history.read(),
    webhooks: () => recorder.webhooks(),
    failWebhooks: (failure, times = Infinity) => recorder.fail(failure, times),
    acceptWebhooks: () => recorder.accept(),
    breakChain() {
      repairChain();
      outage.current = { kind: 'transport' };
      outage.errorsBefore = log.errors.length;
    },
    repairChain,
    [Symbol.asyncDispose]: close,
  };
}
