import type { Service } from '../service.js';
import { createSeatSweep } from '../settlement/sweep-seats.js';
import { runChargePass, type ChargePass } from './charges/charge-pass.js';
import { runPlanPass } from './plans/plan-pass.js';
import { runDeliveryPass, type DeliveryPass } from './deliveries/delivery-pass.js';

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
   * Runs both kinds of pass, each a second after its last one ended, until the signal aborts. Resolves when the passes in
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
  states(): Readonly<Record<'charges' | 'deliveries', PassState>>;
}

/** Makes the worker of a service. */
export function createWorker(service: Service): BillingWorker {
  const sweepSeats = createSeatSweep(service);
  const charges = observed(service, 'charges', async () => {
    // A seat that returns may be due for a charge at once.
    await sweepSeats();
    // The subscriptions of a plan that is over are due at once.
    await runPlanPass(service);
    return runChargePass(service);
  });
  const deliveries = observed(service, 'deliveries', (signal) => runDeliveryPass(service, signal));

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
    async run({ signal }) {
      await Promise.all([repeat(charges.run, signal), repeat(deliveries.run, signal)]);
    },
    async runUntilIdle() {
      for (;;) {
        const { claimed } = await charges.run();
        const { delivered, retrying, failed } = await deliveries.run();
        if (claimed + delivered + retrying + failed === 0) return;
      }
    },
    states: () => ({ charges: charges.state(), deliveries: deliveries.state() }),
  };
}

/** Records how each run of a pass went. Of several failures in a row only the first is logged. */
function observed<Result>(
  { clock, logger }: Service,
  pass: string,
  work: (signal?: AbortSignal) => Promise<Result>,
): { readonly run: (signal?: AbortSignal) => Promise<Result>; readonly state: () => PassState } {
  let state: PassState = { lastOk: null, failing: false };
  return {
    async run(signal) {
      try {
        const result = await work(signal);
        if (state.failing) logger.info({ pass }, 'the pass works again');
        state = { lastOk: clock.now(), failing: false };
        return result;
      } catch (error) {
        if (!state.failing) logger.error({ pass, err: error }, 'a pass failed; what was due stays due');
        state = { ...state, failing: true };
        throw error;
      }
    },
    state: () => state,
  };
}
