import type { WalletSubscription } from '@subrail/core/schemas';
import { changingOf } from './changing.js';
import { type Connection, shown } from './connection.js';
import type { flowsOf } from './flows.js';
import type { machineOf, Only } from './machine.js';
import type { Setting } from './options.js';
import type { PortalShown, PortalState } from './portal-state.js';
import { isRepeated, type Problem, problemOfError } from './problem.js';
import type { SignedAction } from './transport.js';
import { walletTransportOf } from './wallet-transport.js';
import { walletChoiceOf } from './wallet-choice.js';
import type { ChainName, KnownWallet } from './wallets.js';

type OfWallet = Extract<PortalState, { name: 'of_wallet' }>;

/** The content of an account besides its wallet. */
type Content = Pick<
  OfWallet,
  'subscriptions' | 'isReading' | 'hasMore' | 'done' | 'problem' | 'about' | 'repeats'
> & {
  readonly change: Omit<NonNullable<OfWallet['change']>, 'back'> | null;
  readonly act: (() => void) | null;
};

const NO_NOTICE = { done: null, problem: null, about: null, act: null, repeats: null } as const;
const NOTHING: Content = { subscriptions: [], isReading: false, hasMore: false, change: null, ...NO_NOTICE };

/** The portal that a wallet is shown in. */
export interface WalletPortalHost {
  readonly setting: Setting;
  readonly flows: ReturnType<typeof flowsOf>;
  readonly chain: ChainName;
  readonly state: PortalState;
  show: ReturnType<typeof machineOf<PortalShown>>['show'];
}

/**
 * Begins a portal without a session: a wallet is connected, sees what the chain shows of it, and changes
 * that. Returns what ends it.
 */
export function beginWalletPortal(host: WalletPortalHost): () => void {
  const { setting, flows, chain, show } = host;
  const { language } = setting;
  let content = NOTHING;

  /** Shows the choice of a wallet, or that one is being connected. */
  function choose(problem: Problem | null, connecting: KnownWallet | null = null) {
    choice.drop();
    show((only) => ({
      name: 'opening',
      ...choice.shownWith(only, problem),
      connecting: connecting === null ? null : connecting.name,
      back: only(() => choose(null)),
    }));
  }

  /** Shows the account that is chosen now. */
  function open() {
    content = NOTHING;
    read();
  }

  const choice = walletChoiceOf({
    setting,
    flows,
    use: 'change',
    chain,
    // No wallet knows a local chain, so any account will do there.
    isExact: chain !== 'solana:localnet',
    mayChange: true,
    listChanged() {
      const { state } = host;
      if (state.name === 'loading') choose(null);
      else if (state.name === 'opening' && state.connecting === null) choose(state.problem);
    },
    connecting: (wallet) => choose(null, wallet),
    connected: open,
    unconnected: choose,
    accountsChanged(isSame) {
      if (isSame) update({});
      else open();
    },
    disconnected: choose,
  });

  function update(changed: Partial<Content>) {
    content = { ...content, ...changed };
    const { connection: of } = choice;
    if (of === null) return;
    const { change, isReading, act } = content;
    const isBusy = change !== null || isReading;
    show((only) => {
      /** Makes an action that waits for what is being done. */
      const idle: Only = (action) =>
        only((...given) => {
          if (!isBusy) action(...given);
        });
      const start = (action: SignedAction) => idle((id: string) => begin(of, id, action));
      return {
        name: 'of_wallet',
        chain,
        wallet: shown(of),
        accounts: of.usable.map(({ address }) => address),
        ...content,
        change: change === null ? null : { ...change, back: backOf(change, only) },
        act: act === null ? null : idle(act),
        more: idle(read),
        refresh: idle(open),
        cancel: start('cancel'),
        resume: start('resume'),
        close: start('close'),
        chooseAccount: only((address) => {
          if (address !== of.account.address && choice.choose(address)) open();
        }),
        chooseWallet: only(() => {
          choose(null);
          of.wallet.disconnect();
        }),
      };
    });
  }

  /** The way out of a change before anything is sent. */
  function backOf({ step }: NonNullable<Content['change']>, only: Only) {
    if (step !== 'preparing' && step !== 'signing') return null;
    return only(() => {
      // A signature that comes later is of no use.
      flows.stop();
      update({ change: null });
    });
  }

  /** The routes of the account that is shown. */
  const routesOf = ({ account }: Connection) =>
    walletTransportOf(setting.service(), account.address, setting.fetch, setting.stopped);

  /** Reads the newest subscriptions, or those behind the last one. */
  function read() {
    const { connection } = choice;
    if (connection === null) return;
    const routes = routesOf(connection);
    const { subscriptions } = content;
    update({ ...NO_NOTICE, isReading: true });
    flows.run(
      async (live) => {
        const page = await live(routes.list(subscriptions.at(-1)?.id ?? null));
        const known = new Set(subscriptions.map(({ id }) => id));
        update({
          subscriptions: [...subscriptions, ...page.data.filter(({ id }) => !known.has(id))],
          hasMore: page.has_more,
          isReading: false,
        });
      },
      (error) => {
        const problem = problemOfError(language, error);
        update({ isReading: false, problem, act: isRepeated(problem) ? read : null });
      },
    );
  }

  function begin(of: Connection, id: string, action: SignedAction) {
    const subscription = content.subscriptions.find((one) => one.id === id);
    if (subscription === undefined) return;
    const routes = routesOf(of);
    update(NO_NOTICE);
    changingOf<WalletSubscription>({
      setting,
      flows,
      routes: {
        ...routes,
        async confirm(...change) {
          const answer = await routes.confirm(...change);
          const { subscriptions } = content;
          content = {
            ...content,
            subscriptions: subscriptions.map((one) => (one.id === id ? answer.subscription : one)),
          };
          return answer;
        },
      },
      chain: () => chain,
      // Each of these changes can be signed once more: a second one does nothing, and the service says so.
      remember: () => undefined,
      step: (_, __, step) => update({ change: { id, action, step } }),
      end: (_, __, problem) => {
        const done = problem === null ? { id, action, sentence: language.done[action] } : null;
        const act = problem !== null && isRepeated(problem) ? () => begin(of, id, action) : null;
        update({ change: null, done, problem, about: id, act, repeats: act === null ? null : action });
      },
    }).sign(subscription, action, of.wallet, of.account);
  }

  choice.begin();
  return choice.stop;
}
