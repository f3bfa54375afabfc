import { Unavailable } from '../ports/unavailable.js';
import type { Service } from '../service.js';
import { createSeatSweep } from '../settlement/sweep-seats.js';
import { createChargePass, type ChargePass } from './charges/charge-pass.js';
import { runPlanPass } from './plans/plan-pass.js';
import { runDeliveryPass, type DeliveryPass } from './deliveries/delivery-pass.js';
import { createPricePass, type PricePass } from './prices/price-pass.js';
import { createWatchPass } from './watch/watch-pass.js';

/** How long `run` waits after a pass before it begins the next one of that kind. */
const PAUSE_MS = 1_000;

/** How the passes of one kind went in this process. */
export interface PassState {
  /** When the last pass that succeeded ended; null before the first one. */
  readonly lastOk: Date | null;
  /** Whether the last pass failed. */
  readonly failing: boolean;
}

/**
 * The work that time makes due. Any number of processes may do it at once. A pass that fails loses nothing: what was due
 * stays due. Charges and deliveries are separate passes, so that a slow webhook receiver never delays a charge.
 */
export interface BillingWorker {
  /**
   * Runs one pass over every subscription that is due. Before it, it reads the plans whose time has come from the chain,
   * and once an hour it counts the seats of every project. Rejects when the store or the chain adapter fails.
   */
  charge(): Promise<ChargePass>;
  /** Runs one pass over every webhook delivery that is due. Rejects when the store fails. */
  deliver(): Promise<DeliveryPass>;
  /**
   * Adds USD amounts to the attempts of the last hour that have none, because the Prices port had no price when they were made.
   * It does so every five minutes; other calls do nothing. Rejects when the store fails.
   */
  price(): Promise<PricePass>;
  /**
   * Looks for troubles before they cost money: run it as often as `charge`. It reads the charger's balance every five
   * minutes, and asks the chain how its servers answer. Rejects when the store or the chain adapter fails.
   */
  watch(): Promise<void>;
  /**
   * Runs every kind of pass, each a second after its last one ended, until the signal aborts. Resolves when the passes in
   * progress have ended. A pass that fails is logged and tried again.
   *
   * @example
   * const stop = new AbortController();
   * const running = billing.worker.run({ signal: stop.signal });
   * process.once('SIGTERM', () => stop.abort());
   * await running;
   */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Runs passes until none of them finds anything due at this instant: for tests, after they moved the clock. Rejects when
   * a pass fails.
   */
  runUntilIdle(): Promise<void>;
  /** How the passes of this process went, as `/health` reports it. */
  states(): Readonly<Record<'charges' | 'deliveries' | 'watch', PassState>>;
}

/** Makes the worker of a service. */
export function createWorker(service: Service): BillingWorker {
  const sweepSeats = createSeatSweep(service);
  const runChargePass = createChargePass(service);
  const charges = observed(service, 'charges', async () => {
    // A seat that returns may be due for a charge at once.
    await sweepSeats();
    // The subscriptions of a plan that is over are due at once.
    await runPlanPass(service);
    return runChargePass();
  });
  const deliveries = observed(service, 'deliveries', async (signal) => {
    const pass = await runDeliveryPass(service, signal);
    service.figures.countDeliveries(pass);
    return pass;
  });
  const prices = observed(service, 'prices', createPricePass(service));
  const watch = observed(service, 'watch', createWatchPass(service));

  async function repeat(run: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // A failure was logged and shows in the state.
      await run(signal).catch(() => undefined);
      await service.clock.sleep(PAUSE_MS, signal);
    }
  }

  return {
    charge: () => charges.run(),
    deliver: () => deliveries.run(),
    price: () => prices.run(),
    watch: () => watch.run(),
    async run({ signal }) {
      await Promise.all([charges, deliveries, prices, watch].map(({ run }) => repeat(run, signal)));
    },
    async runUntilIdle() {
      await watch.run();
      for (;;) {
        const { claimed } = await charges.run();
        const { delivered, retrying, failed } = await deliveries.run();
        const { priced } = await prices.run();
        if (claimed + delivered + retrying + failed + priced === 0) return;
      }
    },
    states: () => ({ charges: charges.state(), deliveries: deliveries.state(), watch: watch.state() }),
  };
}

/** Records how each run of a pass went, and reports a failure as a trouble. */
function observed<Result>(
  { clock, troubles }: Service,
  pass: string,
  work: (signal?: AbortSignal) => Promise<Result>,
): { readonly run: (signal?: AbortSignal) => Promise<Result>; readonly state: () => PassState } {
  let state: PassState = { lastOk: null, failing: false };
  return {
    async run(signal) {
      try {
        const result = await work(signal);
        troubles.over('pass_failing', pass);
        troubles.over('store_unavailable', pass);
        state = { lastOk: clock.now(), failing: false };
        return result;
      } catch (error) {
        const kind = error instanceof Unavailable ? 'store_unavailable' : 'pass_failing';
        troubles.seen({ kind, subject: pass, err: error });
        state = { ...state, failing: true };
        throw error;
      }
    },
    state: () => state,
  };
}
