import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { PortalState } from '../portal-state.js';
import type { Kit } from './kit.js';
import {
  backView,
  brandView,
  footView,
  listNoticeView,
  type Piece,
  problemView,
  stepView,
  titleView,
  waitView,
} from './pieces.js';
import { walletSubscriptionView } from './wallet-subscription-view.js';
import { choiceTitle, walletRow, walletsView } from './wallets-view.js';

type StateOf<Name extends PortalState['name']> = Extract<PortalState, { name: Name }>;

/** The choice of the wallet whose subscriptions are shown. */
export function openingView(state: StateOf<'opening'>, kit: Kit): TemplateResult {
  const { words } = kit;
  const { connecting, problem } = state;
  return framed(
    html`${titleView(words.subscriptions, kit)}
      <p class="soft">${words.ofWallet.lead}</p>`,
    html`<section class="card" part="card">
      ${
        connecting === null
          ? html`${stepView(choiceTitle(state, words), kit)} ${problemView(problem, kit, 'bad')}
            ${walletsView(state, kit)}`
          : html`${stepView(words.connectTo(connecting), kit)}
            ${waitView(words.approveConnection(connecting), state)} ${backView(state.back, kit)}`
      }
    </section>`,
    kit,
  );
}

/** The frame of a wallet's portal, with room for what a page says below its subscriptions. */
function framed(head: Piece, content: Piece, kit: Kit): TemplateResult {
  const { brand, chain } = kit;
  const network = chain === 'solana:mainnet' ? 'mainnet-beta' : 'devnet';
  return html`<div class="shell wide" part="portal">
    <header class="stack" part="head">
      ${brandView(brand === null ? null : { name: brand }, network, kit)} ${head}
    </header>
    ${content}
    <slot name="below"></slot>
    ${brand === null ? nothing : footView({ service: brand, network }, kit, nothing)}
  </div>`;
}

/** The subscriptions of a wallet. */
export function ofWalletView(state: StateOf<'of_wallet'>, kit: Kit): TemplateResult {
  const { words, language } = kit;
  const { subscriptions, isReading, hasMore, problem, more, refresh } = state;
  const count = subscriptions.length;
  return framed(
    html`${titleView(words.subscriptions, kit)} ${walletRow(state, kit, language.steps.choose_wallet)}`,
    html`${listNoticeView(state, kit)}
    ${
      count === 0 && !isReading && problem === null
        ? html`<p class="soft">${words.ofWallet.found(0, false)}</p>`
        : nothing
    }
    ${subscriptions.map((one) => keyed(one.id, walletSubscriptionView(one, state, kit)))}
    ${
      isReading
        ? waitView(words.looking, state)
        : html`<div class="row">
            ${hasMore ? html`<button type="button" @click=${more}>${words.older}</button>` : nothing}
            <button type="button" class="plain" @click=${refresh}>${words.refresh}</button>
          </div>`
    }`,
    kit,
  );
}

/** The sentence that says where a portal without a session is. */
export function walletPortalSentence(state: StateOf<'opening' | 'of_wallet'>, { words }: Kit): string {
  const { problem } = state;
  if (state.name === 'opening') {
    const { connecting } = state;
    return connecting === null
      ? (problem?.sentence ?? choiceTitle(state, words))
      : words.approveConnection(connecting);
  }
  const { change, done, isReading, subscriptions, hasMore } = state;
  if (change !== null) return words.acting[change.step];
  const said = done?.sentence ?? problem?.sentence;
  if (said !== undefined) return said;
  return isReading ? words.looking : words.ofWallet.found(subscriptions.length, hasMore);
}
