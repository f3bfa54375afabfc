import type { TemplateResult } from 'lit';
import type { PortalOptions } from '../options.js';
import { createPortal, type Portal } from '../portal.js';
import type { PortalState } from '../portal-state.js';
import type { Kit } from './kit.js';
import { MachineElement } from './machine-element.js';
import { portalSentence, portalView } from './portal-view.js';

/**
 * The element `<subrail-portal>`: a customer's subscriptions, opened by exactly one of `session` and `url`.
 * The events `subrail-state` and `subrail-problem` tell the app of it, and those of a checkout in it.
 */
export class SubrailPortal extends MachineElement<PortalState> {
  protected override begin(options: PortalOptions): Portal | null {
    return options.session === undefined && options.url === undefined ? null : createPortal(options);
  }

  protected override view(state: PortalState, kit: Kit): TemplateResult {
    return portalView(state, kit);
  }

  protected override sentence(state: PortalState, kit: Kit): string {
    return portalSentence(state, kit);
  }
}
