import type { CostsWire, CustomerCreated, CustomerSession, SubscriptionWire } from '@subrail/core/schemas';
import type { ConnectedWallet, WalletOption } from './connection.js';
import type { WalletLink } from './deep-links.js';
import type { Problem } from './problem.js';
import type { TermsChange } from './terms.js';

/** A plan as a page shows it. */
export type OfferedPlan = CustomerSession['plans'][number];

/** What every state has once the session was read. */
interface Offered {
  readonly session: CustomerSession;
  /** The chosen plan. */
  readonly plan: OfferedPlan;
}

/** The session is read, or the chosen plan is prepared for the chosen wallet. */
interface Loading {
  readonly name: 'loading';
  readonly session: CustomerSession | null;
  readonly plan: OfferedPlan | null;
}

interface ChoosingWallet extends Offered {
  readonly name: 'choosing_wallet';
  /** The plans among which the customer chooses. */
  readonly plans: readonly OfferedPlan[];
  /** The wallets of the browser. The list grows while wallets register; it may be empty. */
  readonly wallets: readonly WalletOption[];
  /** Addresses that open this very page in the apps of wallets, for a phone. */
  readonly links: readonly WalletLink[];
  /** The text of a QR code that opens this very page on a phone. */
  readonly qr: string;
  /** Why a wallet has to be chosen again; null at first. */
  readonly problem: Problem | null;
  readonly choosePlan: (slug: string) => void;
  readonly connect: (wallet: WalletOption) => void;
}

/** The wallet asks its person whether the page may see an account. */
interface Connecting extends Offered {
  readonly name: 'connecting';
  readonly wallet: Pick<ConnectedWallet, 'name' | 'icon'>;
  readonly back: () => void;
}

interface Reviewed extends Offered {
  readonly name: 'review';
  readonly plans: readonly OfferedPlan[];
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
  readonly pay: (email?: string) => void;
}

/** Something is missing that the customer can add, such as money. */
interface BlockedReview extends Reviewed {
  readonly payable: false;
  readonly problem: Problem;
  readonly checkAgain: () => void;
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
      }
    | {
        readonly step: 'refused';
        readonly problem: Problem;
        readonly again: () => void;
      }
  );

/** The signed payment is on its way. Leaving the page is safe: it goes on when it is opened again. */
interface Submitting extends Offered {
  readonly name: 'submitting';
  /** The id of the subscription. */
  readonly subscription: string;
}

interface Complete {
  readonly name: 'complete';
  readonly session: CustomerSession;
  /** The plan that was paid; null when the session does not list it. */
  readonly plan: OfferedPlan | null;
  readonly subscription: SubscriptionWire;
  /** Where the customer goes next: the project's address with the id of the checkout; null to stay. */
  readonly continueTo: string | null;
}

interface Failed {
  readonly name: 'failed';
  readonly session: CustomerSession | null;
  readonly problem: Problem;
  /** Does `problem.next`; null when that is not on this page: `open_portal`, `log_in`, `go_back`, `none`. */
  readonly act: (() => void) | null;
  /** Takes another wallet; null while a payment may be on its way. */
  readonly chooseWallet: (() => void) | null;
}

/** A state of a checkout. Its actions are functions of it, and do nothing once another state is shown. */
export type CheckoutState =
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
