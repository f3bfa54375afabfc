import type { PropertyDeclarations, TemplateResult } from 'lit';
import type { PortalOptions } from '../options.js';
import { createPortal, type Portal } from '../portal.js';
import type { PortalState } from '../portal-state.js';
import type { Kit } from './kit.js';
import { type About, type ElementOptions, MachineElement } from './machine-element.js';
import { portalAbout, portalSentence, portalView } from './portal-view.js';

/**
 * The element `<subrail-portal>`: a customer's subscriptions, opened by exactly one of `session`, `link` and
 * `url`, or by `chain` alone, with which it is the portal of a wallet without a session.
 * The events `subrail-state` and `subrail-problem` tell the app of it, and those of a checkout in it.
 */
export class SubrailPortal extends MachineElement<PortalState> {
  static override properties: PropertyDeclarations = { ...MachineElement.properties, receipt: {} };

  /** The id of a payment whose receipt is shown first. */
  declare receipt: string | null;

  constructor() {
    super();
    this.receipt = null;
  }

  protected override begin(options: ElementOptions): Portal | null {
    const { session, link, url } = options;
    const { chain } = this;
    const isOfWallet = (session ?? link ?? url) === null;
    if (isOfWallet && chain === null) return null;
    // Two that are given are refused when it runs: attributes have no types.
    const { receipt } = this;
    return createPortal(Object.assign(options as PortalOptions, isOfWallet ? { chain } : { receipt }));
  }

  protected override view(state: PortalState, kit: Kit): TemplateResult {
    return portalView(state, kit);
  }

  protected override about(state: PortalState): About {
    return portalAbout(state);
  }

  protected override sentence(state: PortalState, kit: Kit): string {
    return portalSentence(state, kit);
  }
}
