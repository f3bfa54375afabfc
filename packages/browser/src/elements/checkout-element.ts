import type { PropertyDeclarations, TemplateResult } from 'lit';
import { type Checkout, createCheckout } from '../checkout.js';
import type { CheckoutState } from '../checkout-state.js';
import { checkoutAbout, checkoutSentence, checkoutView } from './checkout-view.js';
import type { Kit } from './kit.js';
import type { CheckoutOptions } from '../options.js';
import { type About, type ElementOptions, MachineElement } from './machine-element.js';

/** How long a page says that it goes on before it does. */
const FOLLOW_MS = 2_500;

/**
 * The element `<subrail-checkout>`: a checkout that is opened by exactly one of `session`, `link` and `url`.
 * The events `subrail-state`, `subrail-problem` and `subrail-complete` tell the app of it; the detail of the
 * last one has the `subscription`, and the `success_url` to go to.
 */
export class SubrailCheckout extends MachineElement<CheckoutState> {
  static override properties: PropertyDeclarations = {
    plan: {},
    follow: { type: Boolean },
    machine: { attribute: false },
    leave: { attribute: false },
  };

  /** The slug of the plan that is chosen first. */
  declare plan: string | null;
  /** Whether the page goes to the project's address by itself, a moment after the payment. */
  declare follow: boolean;
  /** A checkout that runs already, such as that of a portal; whoever made it ends it. */
  declare machine: Checkout | null;
  /** The way back to the portal that has the checkout. */
  declare leave: (() => void) | null;

  /** The plan of the page that is not offered, where the customer wants to see the others. */
  #passedOver: string | null = null;
  #following: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.plan = null;
    this.follow = false;
    this.machine = null;
    this.leave = null;
  }

  protected override get isBorrowed() {
    return this.machine !== null;
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#following);
  }

  protected override begin(options: ElementOptions): Checkout | null {
    if (this.machine !== null) return this.machine;
    const { session, link, url } = options;
    // Two that are given are refused when it runs: attributes have no types.
    const plan = this.plan === this.#passedOver ? undefined : (this.plan ?? undefined);
    return (session ?? link ?? url) === null
      ? null
      : createCheckout(Object.assign(options as CheckoutOptions, { plan }));
  }

  protected override told(state: CheckoutState) {
    // The payment was told before its receipt was read.
    if (state.name === 'complete' && state.payment !== null) return;
    clearTimeout(this.#following);
    if (state.name !== 'complete') return;
    const { subscription, continueTo } = state;
    this.emit('subrail-complete', { subscription, success_url: continueTo });
    if (this.follow && continueTo !== null)
      this.#following = setTimeout(() => location.assign(continueTo), FOLLOW_MS);
  }

  protected override view(state: CheckoutState, kit: Kit): TemplateResult {
    const { leave } = this;
    // A portal reads everything anew once its checkout is left.
    const own = leave === null ? kit : { ...kit, portal: leave };
    const isOfPlan = state.name === 'failed' && state.problem.code === 'plan_not_found';
    if (!isOfPlan || !state.session?.plans.some(({ offered }) => offered))
      return checkoutView(state, own, this.follow, leave);
    const chooseWallet = () => {
      this.#passedOver = this.plan;
      this.restart();
    };
    return checkoutView({ ...state, chooseWallet }, own, this.follow, leave);
  }

  protected override about(state: CheckoutState): About {
    return checkoutAbout(state);
  }

  protected override sentence(state: CheckoutState, kit: Kit): string {
    return checkoutSentence(state, kit);
  }
}
