import { html, nothing, svg, type TemplateResult } from 'lit';
import type { CustomerSession } from '@subrail/core/schemas';
import type { Problem } from '../problem.js';
import { chainOf } from '../connection.js';
import { shortened } from '../formats.js';
import type { Delay } from '../machine.js';
import type { SignedAction } from '../transport.js';
import type { ChainName } from '../wallets.js';
import type { Way } from '../ways.js';
import type { Kit } from './kit.js';

/** The outcome of an action. */
interface Notice {
  readonly done: { readonly id: string; readonly sentence: string } | null;
  readonly problem: Problem | null;
  readonly about: string | null;
  readonly act: Way | null;
  readonly repeats: SignedAction | null;
}

type Network = CustomerSession['network'];

/** The content of a view, or nothing. */
export type Piece = TemplateResult | typeof nothing;

/** The seller, or the service, above everything else. A picture stands for its initial. */
export function brandView(
  brand: { readonly name: string; readonly logo?: string | null } | null,
  network: Network | null,
  { words }: Kit,
): TemplateResult {
  return html`<div class="brand" part="brand">
    ${
      brand === null
        ? nothing
        : html`${
              brand.logo == null
                ? html`<span class="avatar" part="avatar" aria-hidden="true">${initialOf(brand.name)}</span>`
                : html`<img class="avatar" part="avatar" src=${brand.logo} alt="" />`
            } <span>${brand.name}</span>`
    }
    ${network === 'devnet' ? html`<span class="tag">${words.testNetwork}</span>` : nothing}
  </div>`;
}

function initialOf(name: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
  return letter.toLocaleUpperCase();
}

/** The name of the service, and the way back, below everything else. */
export function footView(
  { service, network }: Pick<CustomerSession, 'service' | 'network'>,
  kit: Kit,
  back: Piece,
): TemplateResult {
  const text = kit.words.paidBy(service, placeOf(network, kit));
  return html`<div class="foot" part="foot"><span>${text}</span> ${back}</div>`;
}

/** The chain of a session. A page may know that it is a local one, which a session calls devnet. */
export const chainIn = (session: CustomerSession, { chain }: Kit): ChainName => chain ?? chainOf(session);

/** The chain, as people call it. */
function placeOf(network: Network, { words, language, chain }: Kit): string {
  return chain === 'solana:localnet' ? words.localNetwork : language.networks[network];
}

/** The way back to the project. */
export function backToView({ back_url: back, project }: CustomerSession, { language }: Kit): Piece {
  return back === null ? nothing : wayView(back, language.backTo(project.name), 'plain');
}

/** The heading of a step, to which the focus goes when the step before is gone. */
export function stepView(text: string, { level }: Kit, below = 1, kind = 'step'): TemplateResult {
  return html`<div
    class=${kind}
    part=${kind.split(' ')[0]}
    role="heading"
    aria-level=${level + below}
    tabindex="-1"
    data-focus
  >
    ${text}
  </div>`;
}

/** The heading of a page, to which the focus goes where nothing below takes it. */
export function titleView(text: string, kit: Kit): TemplateResult {
  return stepView(text, kit, 0, 'title large');
}

/** A wait that is all there is, with its sentence. */
export function busyView(sentence: string, state: Delay): TemplateResult {
  return waiting(html`<p class="title" tabindex="-1" data-focus>${sentence}</p>`, state);
}

/** A wait below the heading of its step. */
export function waitView(sentence: string, state: Delay): TemplateResult {
  return waiting(html`<p class="soft">${sentence}</p>`, state);
}

/** A wait, and the sentence that it takes longer. */
function waiting(content: TemplateResult, { delay }: Delay): TemplateResult {
  return html`<div class="busy"><span class="spinner" part="spinner"></span> ${content}</div>
    ${delay === null ? nothing : html`<p class="soft small">${delay}</p>`}`;
}

/** A date in the reader's zone. Its title says it in UTC. */
export function dateView(iso: string, { formats }: Kit, form: 'day' | 'moment' = 'day'): TemplateResult {
  return html`<time datetime=${iso} title=${formats.utc(iso)}>${formats[form](iso)}</time>`;
}

/** A date with its name, and with the amount that is paid then; nothing without a date. */
export function dateLine(name: string, date: string | null, kit: Kit, amount: string | null = null): Piece {
  if (date === null) return nothing;
  return html`<div>
    <dt>${name}</dt>
    <dd>${amount === null ? nothing : `${amount}, `}${dateView(date, kit, 'moment')}</dd>
  </div>`;
}

/** The wallet that pays, with its name. */
export function payerLine(wallet: string, { words }: Kit): TemplateResult {
  return html`<div>
    <dt>${words.paysWith}</dt>
    <dd class="mono" title=${wallet}>${shortened(wallet)}</dd>
  </div>`;
}

/** The address of a wallet, to which the missing money goes. */
export function topUpView(address: string, { network }: CustomerSession, kit: Kit): TemplateResult {
  const { words } = kit;
  return html`<div class="tight">
    <div class="label">${words.sendTo(placeOf(network, kit))}</div>
    <code class="wallet">${address}</code>
    ${copyView(address, words.copyAddress, words.addressCopied, kit)}
  </div>`;
}

/** An address or a signature, linked to the explorer of Solana where the chain is public. */
export function onExplorer(
  kind: 'tx' | 'address',
  value: string,
  chain: ChainName,
  text: string,
  label: string | null = null,
): TemplateResult {
  if (chain === 'solana:localnet') return html`<span class="mono" title=${value}>${shortened(value)}</span>`;
  const page = `https://explorer.solana.com/${kind}/${value}`;
  return html`<a
    href=${chain === 'solana:mainnet' ? page : `${page}?cluster=devnet`}
    target="_blank"
    rel="noopener noreferrer"
    title=${value}
    aria-label=${label ?? nothing}
    >${text}</a
  >`;
}

/** A sentence about something to do. */
export function noteView(sentence: string): TemplateResult {
  return html`<p class="notice" part="notice">${sentence}</p>`;
}

/** A problem with its sentence, how much money is missing, and the button of its next step. */
export function problemView(
  problem: Problem | null,
  kit: Kit,
  tone: 'plain' | 'warn' | 'bad' = 'warn',
  next: Piece = nothing,
): Piece {
  if (problem === null) return nothing;
  const { sentence, detail } = problem;
  const missing = missingOf(problem, kit);
  return html`<div class="notice ${tone}" part="notice">
    <p>${sentence}</p>
    ${missing === null ? nothing : html`<p><b>${missing}</b></p>`} ${next}
    ${
      // The missing amount says more than the service does, and in the language of the page.
      missing !== null || detail === null || detail === sentence
        ? nothing
        : html`<details class="small">
            <summary>${kit.words.details}</summary>
            <p lang="en">${firstSentence(detail)}</p>
          </details>`
    }
  </div>`;
}

/** The words of a screen reader for a problem. */
export function problemText(problem: Problem, kit: Kit): string {
  return [problem.sentence, missingOf(problem, kit)].filter((text) => text !== null).join(' ');
}

/** The sentence about missing money; null when that is not the problem. */
function missingOf({ missing }: Problem, { words, formats }: Kit): string | null {
  if (missing === null) return null;
  return words.missing(formats.units(missing.amount, missing), formats.units(missing.needed, missing));
}

/** A button that copies a text, and what it says once that is done. */
export function copyView(text: string, name: string, done: string, { input, change }: Kit): TemplateResult {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => change({ copied: text }),
      // A browser that keeps its clipboard to itself still shows the text.
      () => undefined,
    );
  };
  return html`<div>
    ${wayView(copy, name, 'plain')}
    <p class="soft small" role="status">${input.copied === text ? done : ''}</p>
  </div>`;
}

/** The button of a way, whatever it is. It is that of the page when it is `primary`. */
export function wayView(way: Way, text: string, kind: 'primary' | 'plain' | '' = 'primary'): TemplateResult {
  const part = kind === 'primary' ? kind : nothing;
  return typeof way === 'string'
    ? html`<a class=${kind === 'plain' ? '' : `button ${kind}`} part=${part} href=${way}>${text}</a>`
    : html`<button type="button" class=${kind} part=${part} @click=${way}>${text}</button>`;
}

/** The card of a customer whom the app does not know yet. */
export function loginView(problem: Problem, act: Way | null, kit: Kit): TemplateResult {
  return html`${stepView(kit.words.failed.log_in, kit, 0)}
  ${typeof act === 'string' ? nothing : html`<p class="soft">${problem.sentence}</p>`}
  ${nextView(problem, act)}`;
}

/** The next step of a problem: the link to another page, or the button that does it on this one. */
function nextView({ label }: Pick<Problem, 'label'>, act: Way | null): Piece {
  if (act === null) return nothing;
  return typeof act === 'string'
    ? wayView(act, label)
    : html`<div class="actions">${wayView(act, label, '')}</div>`;
}

/** The finding of a service. The sentences after it are for the programs that call it. */
function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** The picture of a wallet, which is part of the page: no other address is asked for it. */
export function iconView(icon: string): Piece {
  // A picture that cannot be drawn leaves its place empty.
  const hide = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) target.hidden = true;
  };
  return icon.startsWith('data:image/')
    ? html`<img class="icon" src=${icon} alt="" @error=${hide} />`
    : nothing;
}

/** The mark of something done. */
export function markView(): TemplateResult {
  return html`<span class="mark" aria-hidden="true">
    ${svg`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"
      stroke-linejoin="round"><path d="M5 12.5l4.5 4.5L19 7.5" /></svg>`}
  </span>`;
}

/** The outcome of the last action. The focus goes there once the action is over. */
function noticeView({ done, problem, act, repeats }: Notice, kit: Kit): Piece {
  if (done !== null)
    return html`<div class="notice good" part="notice" tabindex="-1" data-focus>
      <p>${done.sentence}</p>
    </div>`;
  if (problem === null) return nothing;
  const { actionOf, actions } = kit.words;
  const label = repeats === null ? problem.label : actionOf(problem.label, actions[repeats]);
  return html`<div tabindex="-1" data-focus>
    ${problemView(problem, kit, 'warn', nextView({ label }, act))}
  </div>`;
}

/** The id of the subscription in whose card an outcome is shown; null for one of the list. */
function subjectOf({ done, about }: Notice): string | null {
  return done?.id ?? about;
}

/** The outcome in the card of the subscription that it is about. */
export function cardNoticeView(id: string, state: Notice, kit: Kit): Piece {
  return subjectOf(state) === id ? noticeView(state, kit) : nothing;
}

/** The outcome above a list, where it is about none of its cards. */
export function listNoticeView(
  state: Notice & { readonly subscriptions: readonly { readonly id: string }[] },
  kit: Kit,
): Piece {
  const subject = subjectOf(state);
  return state.subscriptions.some(({ id }) => id === subject) ? nothing : noticeView(state, kit);
}

/** The button that leaves a step. */
export function backView(back: () => void, { words }: Kit): TemplateResult {
  return html`<div>${wayView(back, words.back, 'plain')}</div>`;
}

/** A state of a newer engine than this page knows. Types say that there is none. */
export function unknown(state: never): never {
  throw new TypeError(`The element shows no state ${JSON.stringify(state)}. Update @subrail/browser.`);
}
