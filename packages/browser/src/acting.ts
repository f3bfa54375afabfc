import type { CustomerSession, CustomerSubscription, SubscriptionWire } from '@subrail/core/schemas';
import { changingOf } from './changing.js';
import { chainOf } from './connection.js';
import type { flowsOf } from './flows.js';
import { shortened } from './formats.js';
import type { machineOf } from './machine.js';
import type { Setting } from './options.js';
import type { PortalAction, PortalShown, PortalState } from './portal-state.js';
import { type Problem, ProblemError, problemOf, problemOfError } from './problem.js';
import type { ActionProgress, Kept } from './progress.js';
import { pause, type SignedAction, type Transport } from './transport.js';
import { walletChoiceOf } from './wallet-choice.js';

/** The changes that a wallet signed and that are not confirmed yet, by subscription. */
export type PendingActions = Readonly<Record<string, ActionProgress>>;

/** The parts of a portal that its actions use. */
export interface PortalHost {
  readonly setting: Setting;
  readonly flows: ReturnType<typeof flowsOf>;
  readonly state: PortalState;
  readonly session: CustomerSession;
  readonly transport: Transport;
  readonly pending: Kept<PendingActions>;
  show: ReturnType<typeof machineOf<PortalShown>>['show'];
  /** Reads the subscriptions again. */
  refresh(): void;
  /** Shows the subscriptions with the outcome of an action, read again unless nothing was done. */
  end(
    subscription: CustomerSubscription,
    action: PortalAction,
    problem: Problem | null,
    act?: (() => void) | null,
  ): void;
}

/** The pauses between two looks at a charge that was ordered: about a minute in all. */
const LOOKS_MS = [2_000, 3_000, 5_000, 10_000, 15_000, 30_000];

/** The actions on subscriptions. Returns them, and what ends them. */
export function actionsOf(host: PortalHost) {
  const { setting, flows, transport, pending, show } = host;
  const { language, stopped } = setting;
  /** The change for which a wallet is chosen. */
  let wanted: { readonly subscription: CustomerSubscription; readonly action: SignedAction } | null = null;

  /** Begins an action, or goes on with one that was signed. */
  function begin(subscription: CustomerSubscription, action: PortalAction) {
    const signed = pending.read()?.[subscription.id];
    if (signed !== undefined) changing.finish(subscription, signed, false);
    else if (action === 'retry') retry(subscription);
    else {
      wanted = { subscription, action };
      if (choice.connection === null) chooseWallet(null);
      else useWallet();
    }
  }

  function acting(
    subscription: CustomerSubscription,
    action: PortalAction,
    step: Extract<PortalState, { name: 'acting' }>['step'],
  ) {
    const { session } = host;
    const mayLeave = step === 'connecting' || step === 'preparing' || step === 'signing';
    show((only) => ({
      name: 'acting',
      session,
      subscription,
      action,
      step,
      back: mayLeave && action !== 'retry' ? only(() => leave(subscription, action)) : null,
    }));
  }

  function leave(subscription: CustomerSubscription, action: PortalAction) {
    // A signature that comes later is of no use.
    flows.stop();
    host.end(subscription, action, null);
  }

  function chooseWallet(problem: Problem | null) {
    if (wanted === null) return;
    const { session } = host;
    const { subscription, action } = wanted;
    show((only) => ({
      name: 'choosing_wallet',
      session,
      subscription,
      action,
      ...choice.shownWith(only, problem),
      back: only(() => leave(subscription, action)),
    }));
  }

  /** Signs with the account that pays for the subscription, or asks for it. */
  function useWallet() {
    if (wanted === null) return;
    const { subscription, action } = wanted;
    const { wallet: payer } = subscription;
    const isPayer = choice.choose(payer);
    const { connection } = choice;
    if (connection === null) return;
    const { wallet, account } = connection;
    if (isPayer) changing.sign(subscription, action, wallet, account);
    else {
      const names = { wallet: wallet.name, account: shortened(payer) };
      chooseWallet(problemOf(language, 'wallet_other_account', { names }));
    }
  }

  const choice = walletChoiceOf({
    setting,
    flows,
    use: 'change',
    chain: chainOf(host.session),
    isExact: false,
    mayChange: true,
    listChanged() {
      if (host.state.name === 'choosing_wallet') chooseWallet(host.state.problem);
    },
    connecting() {
      if (wanted !== null) acting(wanted.subscription, wanted.action, 'connecting');
    },
    connected: useWallet,
    unconnected: chooseWallet,
    accountsChanged() {
      // The customer chose the right account in the wallet, as this page asked.
      if (host.state.name === 'choosing_wallet' && choice.choose(wanted?.subscription.wallet)) useWallet();
    },
    // The next change asks for a wallet.
    disconnected: () => undefined,
  });

  function remember(id: string, progress: ActionProgress | null) {
    const { [id]: _, ...others } = pending.read() ?? {};
    const now = progress === null ? others : { ...others, [id]: progress };
    pending.write(Object.keys(now).length === 0 ? null : now);
  }

  const changing = changingOf<CustomerSubscription>({
    setting,
    flows,
    routes: transport,
    chain: () => chainOf(host.session),
    remember,
    step: acting,
    end(subscription, action, problem) {
      host.end(subscription, action, problem, () => begin(subscription, action));
    },
  });

  function retry(subscription: CustomerSubscription) {
    acting(subscription, 'retry', 'preparing');
    flows.run(
      async (live) => {
        const before = await live(transport.retry(subscription.id));
        acting(subscription, 'retry', 'confirming');
        for (const ms of LOOKS_MS) {
          await live(pause(ms, stopped));
          const now = await live(transport.subscription(subscription.id));
          if (now.payment_status === 'paid') {
            host.end(subscription, 'retry', null);
            return;
          }
          if (standing(now) !== standing(before)) throw new ProblemError('charge_missed');
        }
        throw new ProblemError('retry_running');
      },
      (error) => {
        const problem = problemOfError(language, error);
        // A charge that was ordered is looked for again. One that was refused is ordered again by the button
        // that pays, and by no other.
        const isOrdered = problem.code === 'retry_running';
        host.end(subscription, 'retry', problem, isOrdered ? () => host.refresh() : null);
      },
    );
  }

  choice.begin();
  return { begin, stop: choice.stop };
}

/** The fields of a subscription that a failed retry changes. */
function standing({
  status,
  late_reason: reason,
  next_retry_at: at,
  next_retry_number: number,
}: SubscriptionWire) {
  return [status, reason, at, number].join(' ');
}
