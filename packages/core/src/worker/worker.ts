import type { MailState } from '../contract/enums.js';
import { Unavailable } from '../ports/unavailable.js';
import type { Service } from '../service.js';
import { createSeatSweep } from '../settlement/sweep-seats.js';
import { createAccessPass } from './access/access-pass.js';
import { AwaitingRefill } from './charges/awaiting-refill.js';
import { createChargePass, type ChargePass } from './charges/charge-pass.js';
import { ClockOfPasses } from './charges/clock-of-pass.js';
import { runPlanPass } from './plans/plan-pass.js';
import { runDeliveryPass, type DeliveryPassOptions } from './deliveries/delivery-pass.js';
import type { DeliveryPass } from './deliveries/serve-endpoint.js';
import { createFigurePass, type FigurePass } from './figures/figure-pass.js';
import { createPricePass, type PricePass } from './prices/price-pass.js';
import { createRetentionPass, type RetentionPass } from './retention/retention-pass.js';
import { createSnapshotPass, type SnapshotPass } from './snapshots/snapshot-pass.js';
import { createPassWatch, type WatchedPass } from './watch/pass-watch.js';
import { createWatchPass } from './watch/watch-pass.js';

/** How long `run` waits after a pass before it begins the next one of that kind. */
const PAUSE_MS = 1_000;

/** How the passes of one kind went in this process. */
export interface PassState {
  /** When a pass went well last: when it ended, or while it goes on; null before the first one. */
  readonly lastOk: Date | null;
  /** Whether the last pass failed. */
  readonly failing: boolean;
}

/** How many mails a pass brought to each end, and how many are tried again. */
export type MailPass = Readonly<Record<Exclude<MailState, 'pending'> | 'retrying', number>>;

/** Until when a pass sends mails, and who hears of it. */
export interface MailPassOptions {
  /** Once aborted, the pass claims no more and ends with the mails in flight. */
  readonly signal: AbortSignal | undefined;
  /** Called after each few mails. */
  readonly progress: () => void;
}

/** A kind of pass, by the name under which `/health` and the alerts report it. */
export interface WorkerPass {
  readonly name:
    | 'access'
    | 'plans'
    | 'charges'
    | 'deliveries'
    | 'mails'
    | 'prices'
    | 'figures'
    | 'watch'
    | 'snapshots'
    | 'retention';
  /** Runs one pass. Rejects when the store or the chain adapter fails. */
  readonly run: (signal?: AbortSignal) => Promise<unknown>;
}

/**
 * The work that time makes due. Any number of processes may do it at once, and a pass that fails loses
 * nothing. The kinds of work are separate passes: a slow webhook receiver never delays a charge, and a chain
 * that does not answer never delays the end of access.
 */
export interface BillingWorker {
  /**
   * Runs one pass over every subscription that is due, after a pass over the ends of access and one over the
   * plans, which `run` repeats by themselves. Rejects when the store or the chain adapter fails.
   */
  charge(): Promise<ChargePass>;
  /** Runs one pass over every webhook delivery that is due. Rejects when the store fails. */
  deliver(): Promise<DeliveryPass>;
  /**
   * Runs one pass over every mail that is due. After the mail server failed, calls do nothing for a minute.
   * Rejects when the store fails.
   */
  sendMails(): Promise<MailPass>;
  /**
   * Adds USD amounts to the attempts of the last hour for which the Prices port had no price, every five
   * minutes; other calls do nothing. Rejects when the store fails.
   */
  price(): Promise<PricePass>;
  /**
   * Merges what was added to the figures of each day, every ten seconds; other calls do nothing. Reports are
   * right without it, and take longer. Rejects when the store fails.
   */
  mergeFigures(): Promise<FigurePass>;
  /**
   * Looks for alerts before they cost money: run it as often as `charge`. A call reads the charger's balance
   * every five minutes, asks the chain how its servers answer, and checks the sealing key every hour. Rejects
   * when the store or the chain adapter fails.
   */
  watch(): Promise<void>;
  /**
   * Makes the snapshots of held events, so that these are listed and sent, once a minute; other calls do
   * nothing. Rejects when the store fails.
   */
  rebuildSnapshots(): Promise<SnapshotPass>;
  /**
   * Deletes events, deliveries, expired checkouts and expired sessions that are older than 30 days, a few
   * hundred at a call.
   * The calls together look through everything once a day; other calls do nothing. `runUntilIdle` deletes
   * nothing, so a host that calls that method from a timer calls this one too. A call also makes some of the
   * deliveries and mails due that wait by a clock that was ahead. Rejects when the store fails.
   *
   * @example
   * while (!(await billing.worker.prune()).finished);
   */
  prune(): Promise<RetentionPass>;
  /**
   * Runs every kind of pass, each a second after its last run, until the signal aborts. Resolves when the
   * passes in progress have ended. A pass that fails is logged and tried again, and a pass that does not run
   * is reported as an alert. Setting the machine's clock neither delays nor hurries them.
   *
   * @example
   * const stop = new AbortController();
   * const running = billing.worker.run({ signal: stop.signal });
   * process.once('SIGTERM', () => stop.abort());
   * await running;
   */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Runs passes until nothing is due at this instant: for tests, after they moved the clock. Old records
   * stay: `prune` deletes them. Rejects when a pass fails.
   */
  runUntilIdle(): Promise<void>;
  /**
   * Every kind of pass: for a host with a scheduler of its own, which starts each every second unless the
   * last run of that kind goes on, and which watches them itself.
   *
   * @example
   * for (const pass of billing.worker.passes()) console.log(pass.name);
   */
  passes(): readonly WorkerPass[];
  /** How the passes of this process went, as `/health` reports it. */
  states(): Readonly<Record<Exclude<WorkerPass['name'], 'mails' | 'prices' | 'figures'>, PassState>>;
}

/**
 * Makes the worker of a service. `checkSealingKey` is that of `Billing`, and `runMailPass` sends the mails
 * that are due.
 */
export function createWorker(
  service: Service,
  checkSealingKey: () => Promise<unknown>,
  runMailPass: (options: MailPassOptions) => Promise<MailPass>,
): BillingWorker {
  const clocks = new ClockOfPasses(service);
  const sweepSeats = createSeatSweep(service);
  const awaitingRefill = new AwaitingRefill(service);
  const runChargePass = createChargePass(service, clocks, awaitingRefill);
  const access = observed(service, 'access', createAccessPass(service, clocks));
  const plans = observed(service, 'plans', () => runPlanPass(service, clocks));
  const charges = observed(service, 'charges', async () => {
    await clocks.readWhenNeeded();
    // A seat that returns may be due for a charge at once.
    await sweepSeats();
    return runChargePass();
  });
  const deliveries = observed(service, 'deliveries', (options: DeliveryPassOptions, progress) =>
    runDeliveryPass(service, { ...options, progress }),
  );
  const mails = observed(service, 'mails', (signal: AbortSignal | undefined, progress) =>
    runMailPass({ signal, progress }),
  );
  const prices = observed(service, 'prices', createPricePass(service));
  const figures = observed(service, 'figures', createFigurePass(service));
  const watch = observed(service, 'watch', createWatchPass(service, awaitingRefill, checkSealingKey));
  const snapshots = observed(service, 'snapshots', createSnapshotPass(service));
  const retention = observed(service, 'retention', createRetentionPass(service, clocks));

  const observedPasses = [
    ...[access, plans, charges, deliveries, mails],
    ...[prices, figures, watch, snapshots, retention],
  ];
  const passes: readonly WorkerPass[] = [
    { name: 'access', run: () => access.run() },
    { name: 'plans', run: () => plans.run() },
    { name: 'charges', run: () => charges.run() },
    { name: 'deliveries', run: (signal) => deliveries.run({ signal, untilIdle: true }) },
    { name: 'mails', run: (signal) => mails.run(signal) },
    { name: 'prices', run: () => prices.run() },
    { name: 'figures', run: () => figures.run() },
    { name: 'watch', run: () => watch.run() },
    { name: 'snapshots', run: () => snapshots.run() },
    { name: 'retention', run: () => retention.run() },
  ];

  async function charge(): Promise<ChargePass> {
    await access.run();
    // The subscriptions of a plan that is over are due at once.
    await plans.run();
    return charges.run();
  }

  async function repeat(run: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // A failure was logged and shows in the state.
      await run(signal).catch(() => undefined);
      await service.clock.sleep(PAUSE_MS, signal);
    }
  }

  return {
    charge,
    deliver: () => deliveries.run({}),
    sendMails: () => mails.run(undefined),
    price: () => prices.run(),
    mergeFigures: () => figures.run(),
    watch: () => watch.run(),
    rebuildSnapshots: () => snapshots.run(),
    prune: () => retention.run(),
    async run({ signal }) {
      const passWatch = createPassWatch(service, observedPasses);
      // Each has a signal of its own, because some platforms warn of more than ten listeners of one.
      const until = () => AbortSignal.any([signal]);
      await Promise.all([
        ...passes.map(({ run }) => repeat(run, until())),
        // With a timer of its own, so that it sees a pass whose timer never fires.
        repeat(async () => passWatch(), until()),
      ]);
    },
    async runUntilIdle() {
      await watch.run();
      for (;;) {
        const { claimed } = await charge();
        const { released } = await snapshots.run();
        const { delivered, retrying, failed } = await deliveries.run({});
        const { sent, refused } = await mails.run(undefined);
        const { priced } = await prices.run();
        await figures.run();
        if (claimed + released + delivered + retrying + failed + sent + refused + priced === 0) return;
      }
    },
    passes: () => passes,
    states: () => ({
      access: access.state(),
      plans: plans.state(),
      charges: charges.state(),
      deliveries: deliveries.state(),
      watch: watch.state(),
      snapshots: snapshots.state(),
      retention: retention.state(),
    }),
  };
}

/** A pass with what is known of its runs. */
interface ObservedPass<Result, Options> extends WatchedPass {
  readonly run: (options: Options) => Promise<Result>;
  readonly state: () => PassState;
}

/** Records how each run of a pass went, and reports a failure as an alert. */
function observed<Result, Options = void>(
  { clock, alerts, telemetry }: Service,
  pass: WorkerPass['name'],
  work: (options: Options, progress: () => void) => Promise<Result>,
): ObservedPass<Result, Options> {
  let state: PassState = { lastOk: null, failing: false };
  let signs = 0;
  let running = 0;
  const progress = () => {
    signs += 1;
    alerts.over('pass_failing', pass);
    alerts.over('store_unavailable', pass);
    state = { lastOk: clock.now(), failing: false };
  };
  return {
    name: pass,
    async run(options) {
      signs += 1;
      running += 1;
      try {
        const result = await telemetry.span({ kind: 'pass', name: pass }, () => work(options, progress));
        progress();
        return result;
      } catch (error) {
        const kind = error instanceof Unavailable ? 'store_unavailable' : 'pass_failing';
        alerts.seen({ kind, subject: pass, err: error });
        state = { ...state, failing: true };
        throw error;
      } finally {
        signs += 1;
        running -= 1;
      }
    },
    state: () => state,
    activity: () => ({ signs, isRunning: running > 0 }),
  };
}
