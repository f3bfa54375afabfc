import type {
  AttemptWire,
  CostsWire,
  CustomerCreated,
  CustomerSession,
  SubscriptionWire,
} from '@subrail/core/schemas';
import type { ConnectedWallet } from './connection.js';
import type { Delay } from './machine.js';
import type { Problem } from './problem.js';
import type { TermsChange } from './terms.js';
import type { WalletChoice } from './wallet-choice.js';
import type { Way } from './ways.js';

/** A plan as a page shows it. */
export type OfferedPlan = CustomerSession['plans'][number];

/** A plan among those that the customer can choose. */
export type PlanOption = OfferedPlan & {
  /** Whether the customer pays for it already. */
  readonly isMine: boolean;
};

/** The fields of every state once the session was read. */
interface Offered {
  readonly session: CustomerSession;
  /** The chosen plan. */
  readonly plan: PlanOption;
}

/** The session is read, or the chosen plan is prepared for the chosen wallet. */
interface Loading {
  readonly name: 'loading';
  readonly session: CustomerSession | null;
  readonly plan: PlanOption | null;
}

interface ChoosingWallet extends Offered, WalletChoice {
  readonly name: 'choosing_wallet';
  /** The plans among which the customer chooses. */
  readonly plans: readonly PlanOption[];
  readonly choosePlan: (slug: string) => void;
}

/** The wallet asks its person whether the page may see an account. */
interface Connecting extends Offered {
  readonly name: 'connecting';
  readonly wallet: Pick<ConnectedWallet, 'name' | 'icon'>;
  readonly back: () => void;
}

interface Reviewed extends Offered {
  readonly name: 'review';
  readonly plans: readonly PlanOption[];
  readonly wallet: ConnectedWallet;
  /** The addresses of the wallet that can pay, with the chosen one. */
  readonly accounts: readonly string[];
  /** Whether `pay` takes an email. */
  readonly asksEmail: boolean;
  readonly chooseAccount: (address: string) => void;
  readonly choosePlan: (slug: string) => void;
  readonly chooseWallet: () => void;
}

/** Everything is there: the customer reads it, and pays. */
interface ReadyReview extends Reviewed {
  readonly payable: true;
  /** Fees that are spent, and deposits that come back. The price is the plan's. */
  readonly costs: CostsWire;
  /** What the wallet will sign first, as text and as facts. */
  readonly terms: CustomerCreated['terms'];
  /** The lines that changed since the customer agreed to them; empty when none did. */
  readonly changes: readonly TermsChange[];
  /** What happened to an earlier try; null without one. */
  readonly problem: Problem | null;
  /** Leads to what is there already; null otherwise, where the button that pays is the next step. */
  readonly act: Way | null;
  readonly pay: (email?: string) => void;
}

/** Something is missing that the customer can add, such as money. */
interface BlockedReview extends Reviewed {
  readonly payable: false;
  readonly problem: Problem;
  /** Looks again whether it is there now. */
  readonly act: () => void;
}

/** A text or a transaction that the wallet is asked to sign. */
type Prompt = Offered & {
  readonly wallet: ConnectedWallet;
  readonly costs: CostsWire;
  readonly terms: CustomerCreated['terms'];
  readonly back: () => void;
} & (
    | {
        /** `preparing` before the wallet is asked. */
        readonly step: 'preparing' | 'waiting';
        /** Why the wallet is asked once more; null the first time. */
        readonly problem: Problem | null;
        /** The wallet has the next step. */
        readonly act: null;
      }
    | {
        readonly step: 'refused';
        readonly problem: Problem;
        /** Asks the wallet again. */
        readonly act: () => void;
      }
  );

/** The signed payment is on its way. Leaving the page is safe: it goes on when it is opened again. */
interface Submitting {
  readonly name: 'submitting';
  readonly session: CustomerSession;
  /** The plan that is paid; null when the session does not list it any more. */
  readonly plan: PlanOption | null;
  /** The id of the subscription. */
  readonly subscription: string;
}

interface Complete {
  readonly name: 'complete';
  readonly session: CustomerSession;
  /** The plan that was paid; null when the session does not list it. */
  readonly plan: OfferedPlan | null;
  readonly subscription: SubscriptionWire;
  /** The charge, for a receipt; null until it is read, and when it cannot be. */
  readonly payment: AttemptWire | null;
  /** Where the customer goes next: the project's address with the id of the checkout; null to stay. */
  readonly continueTo: string | null;
}

interface Failed {
  readonly name: 'failed';
  readonly session: CustomerSession | null;
  readonly problem: Problem;
  /** Does `problem.next`; null where there is nothing left to do, or nothing says where it is. */
  readonly act: Way | null;
  /** Takes another wallet; null while a payment may be on its way. */
  readonly chooseWallet: (() => void) | null;
}

/** A state of a checkout. Its actions are functions of it, and do nothing once another state is shown. */
export type CheckoutState = CheckoutShown & Delay;

/** A state of a checkout as the checkout makes it. */
export type CheckoutShown =
  | Loading
  | ChoosingWallet
  | Connecting
  | ReadyReview
  | BlockedReview
  | (Prompt & { readonly name: 'signing_terms' })
  | (Prompt & { readonly name: 'signing_payment' })
  | Submitting
  | Complete
  | Failed;
