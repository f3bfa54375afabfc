import type {
  AttemptPage,
  CustomerAction,
  CustomerSession,
  CustomerSubscription,
  ReceiptWire,
  WalletSubscription,
} from '@subrail/core/schemas';
import type { ChangeStep } from './changing.js';
import type { Checkout } from './checkout.js';
import type { ConnectedWallet } from './connection.js';
import type { Delay } from './machine.js';
import type { Problem } from './problem.js';
import type { SignedAction } from './transport.js';
import type { WalletChoice } from './wallet-choice.js';
import type { ChainName } from './wallets.js';
import type { Way } from './ways.js';

/** The actions of a portal that change a subscription. A checkout does the other ones. */
export type PortalAction = Exclude<CustomerAction, 'subscribe' | 'change'>;

interface Loading {
  readonly name: 'loading';
}

interface Ready {
  readonly name: 'ready';
  readonly session: CustomerSession;
  /** The newest first. `actions` of each says which of the functions below it takes now. */
  readonly subscriptions: readonly CustomerSubscription[];
  /** Whether `more` has older ones. */
  readonly hasMore: boolean;
  /** The charges of the subscriptions for which `showPayments` was called, by id, newest first. */
  readonly payments: Readonly<Record<string, AttemptPage>>;
  /** What was done last, with its sentence; null without. */
  readonly done: { readonly id: string; readonly action: PortalAction; readonly sentence: string } | null;
  /** What went wrong last; null without. */
  readonly problem: Problem | null;
  /** The id of the subscription that it is about; null when it is about the list. */
  readonly about: string | null;
  /**
   * Does `problem.next`; null where nothing does it, and after a retry that was refused: the subscription's
   * own `retry` is the one button that orders another charge.
   */
  readonly act: Way | null;
  /** The action that `act` begins again; null where it does another thing. */
  readonly repeats: SignedAction | null;
  readonly more: () => void;
  /** Reads the charges of a subscription; each further call reads older ones. */
  readonly showPayments: (id: string) => void;
  /** Reads the receipt of a payment by its id, and shows it. */
  readonly showReceipt: (attempt: string) => void;
  readonly cancel: (id: string) => void;
  readonly resume: (id: string) => void;
  readonly close: (id: string) => void;
  /** Charges the missed period now. */
  readonly retry: (id: string) => void;
  /** Opens a checkout of a plan, by its slug. */
  readonly subscribe: (plan: string) => void;
  /** Opens a checkout of a plan, by its slug, which replaces a subscription. */
  readonly change: (id: string, plan: string) => void;
  readonly refresh: () => void;
}

/** The receipt of a payment. */
interface Receipt {
  readonly name: 'receipt';
  readonly session: CustomerSession;
  readonly receipt: ReceiptWire;
  /** Shows the subscriptions. */
  readonly back: () => void;
}

/** A subscription that is being changed. */
interface Changing {
  readonly session: CustomerSession;
  readonly subscription: CustomerSubscription;
  readonly action: PortalAction;
}

/** The wallet that pays for the subscription has to sign the change. */
interface ChoosingWallet extends Changing, WalletChoice {
  readonly name: 'choosing_wallet';
  readonly back: () => void;
}

interface Acting extends Changing {
  readonly name: 'acting';
  readonly step: 'connecting' | ChangeStep;
  /** Leaves it; null once something may be on its way. */
  readonly back: (() => void) | null;
}

/** A plan is being paid for. */
interface InCheckout {
  readonly name: 'checkout';
  readonly checkout: Checkout;
  /** Ends the checkout, and shows the subscriptions again. What was sent goes on. */
  readonly back: () => void;
}

interface Failed {
  readonly name: 'failed';
  readonly session: CustomerSession | null;
  readonly problem: Problem;
  /** Does `problem.next`; null where nothing does it. */
  readonly act: Way | null;
}

/** A portal without a session asks for the wallet whose subscriptions it shows. */
interface Opening extends WalletChoice {
  readonly name: 'opening';
  /** The name of the wallet that asks its person now; null without. */
  readonly connecting: string | null;
  readonly back: () => void;
}

/** The subscriptions of a wallet in every project of the service, as the chain shows them. */
interface OfWallet {
  readonly name: 'of_wallet';
  readonly chain: ChainName;
  readonly wallet: ConnectedWallet;
  /** The addresses of the wallet on this chain, with the shown one. */
  readonly accounts: readonly string[];
  /** The newest first. `actions` of each says which of the functions below it takes now. */
  readonly subscriptions: readonly WalletSubscription[];
  readonly isReading: boolean;
  /** Whether `more` has older ones. */
  readonly hasMore: boolean;
  /** What is being changed; null without. The actions below wait for it. */
  readonly change: {
    readonly id: string;
    readonly action: SignedAction;
    readonly step: ChangeStep;
    /** Leaves it; null once something may be on its way. */
    readonly back: (() => void) | null;
  } | null;
  /** What was done last, with its sentence; null without. */
  readonly done: { readonly id: string; readonly action: SignedAction; readonly sentence: string } | null;
  /** What went wrong last; null without. */
  readonly problem: Problem | null;
  /** The id of the subscription that it is about; null when it is about the list. */
  readonly about: string | null;
  /** Does `problem.next`; null where nothing does it. */
  readonly act: Way | null;
  /** The action that `act` begins again; null where it does another thing. */
  readonly repeats: SignedAction | null;
  readonly more: () => void;
  readonly refresh: () => void;
  readonly cancel: (id: string) => void;
  readonly resume: (id: string) => void;
  readonly close: (id: string) => void;
  readonly chooseAccount: (address: string) => void;
  readonly chooseWallet: () => void;
}

/** A state of a portal. Its actions are functions of it, and do nothing once another state is shown. */
export type PortalState = PortalShown & Delay;

/** A state of a portal as the portal makes it. */
export type PortalShown =
  | Loading
  | Ready
  | Receipt
  | ChoosingWallet
  | Acting
  | InCheckout
  | Failed
  | Opening
  | OfWallet;
