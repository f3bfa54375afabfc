import { html, nothing, svg, type TemplateResult } from 'lit';
import type { CustomerSession } from '@subrail/core/schemas';
import type { Problem } from '../problem.js';
import type { Kit } from './kit.js';

/** The outcome of an action. */
interface Notice {
  readonly done: { readonly sentence: string } | null;
  readonly problem: Problem | null;
  readonly act: (() => void) | null;
}

/** What a view shows, or nothing. */
export type Piece = TemplateResult | typeof nothing;

/** Whom the customer pays, above everything else. */
export function brandView({ project, network }: CustomerSession, { words }: Kit): TemplateResult {
  return html`<div class="brand" part="brand">
    <span class="avatar" part="avatar" aria-hidden="true">${initialOf(project.name)}</span>
    <span>${project.name}</span>
    ${network === 'devnet' ? html`<span class="tag">${words.testNetwork}</span>` : nothing}
  </div>`;
}

function initialOf(name: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
  return letter.toLocaleUpperCase();
}

/** Who runs the service, and the way back, below everything else. */
export function footView(session: CustomerSession, { words, language }: Kit): TemplateResult {
  const { service, network, back_url: back, project } = session;
  return html`<div class="foot" part="foot">
    <span>${words.paidBy(service, language.networks[network])}</span>
    ${back === null ? nothing : html`<a href=${back}>${words.backTo(project.name)}</a>`}
  </div>`;
}

/** The heading of a page, to which the focus goes when `takesFocus`. */
export function titleView(text: string, { level }: Kit, takesFocus = false): TemplateResult {
  return html`<div
    class="title large"
    part="title"
    role="heading"
    aria-level=${level}
    tabindex="-1"
    ?data-focus=${takesFocus}
  >
    ${text}
  </div>`;
}

/** The heading of a step, to which the focus goes when the step before is gone. */
export function stepView(text: string, { level }: Kit, below = 1): TemplateResult {
  return html`<div
    class="step"
    part="step"
    role="heading"
    aria-level=${level + below}
    tabindex="-1"
    data-focus
  >
    ${text}
  </div>`;
}

/** A wait, with its sentence. */
export function busyView(sentence: string): TemplateResult {
  return html`<div class="busy">
    <span class="spinner" part="spinner"></span>
    <p class="title" tabindex="-1" data-focus>${sentence}</p>
  </div>`;
}

/** A date in the reader's zone. Its title says it in UTC. */
export function dateView(iso: string, { formats }: Kit, form: 'day' | 'moment' = 'day'): TemplateResult {
  return html`<time datetime=${iso} title=${formats.utc(iso)}>${formats[form](iso)}</time>`;
}

/** A date with its name; nothing without one. */
export function dateLine(name: string, date: string | null, kit: Kit, before = ''): Piece {
  if (date === null) return nothing;
  return html`<div>
    <dt>${name}</dt>
    <dd>${before}${dateView(date, kit, 'moment')}</dd>
  </div>`;
}

/** A page of the explorer of Solana, such as that of a transaction. */
export function explorerLink(path: string, network: 'devnet' | 'mainnet-beta'): string {
  const page = `https://explorer.solana.com/${path}`;
  return network === 'devnet' ? `${page}?cluster=devnet` : page;
}

/** A problem in a sentence, with what the service said besides, such as how much is missing. */
export function problemView(
  problem: Problem | null,
  { words }: Kit,
  tone: 'warn' | 'bad' = 'warn',
  details: 'folded' | 'unfolded' = 'folded',
): Piece {
  if (problem === null) return nothing;
  const { sentence, detail } = problem;
  const more = (): Piece => {
    if (detail === null || detail === sentence) return nothing;
    const found = html`<p lang="en">${firstSentence(detail)}</p>`;
    if (details === 'unfolded') return found;
    return html`<details class="small">
      <summary>${words.details}</summary>
      ${found}
    </details>`;
  };
  return html`<div class="notice ${tone}" part="notice">
    <p>${sentence}</p>
    ${more()}
  </div>`;
}

/** What was found. What a service says after that is for the programs that call it. */
function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** The picture of a wallet, which is part of the page: no other address is asked for it. */
export function iconView(icon: string): Piece {
  return icon.startsWith('data:image/') ? html`<img class="icon" src=${icon} alt="" />` : nothing;
}

/** The mark of something done. */
export function markView(): TemplateResult {
  return html`<span class="mark" aria-hidden="true">
    ${svg`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"
      stroke-linejoin="round"><path d="M5 12.5l4.5 4.5L19 7.5" /></svg>`}
  </span>`;
}

/** What became of the last action. The focus goes there once the action is over. */
export function noticeView({ done, problem, act }: Notice, kit: Kit): Piece {
  if (done !== null)
    return html`<div class="notice good" part="notice" tabindex="-1" data-focus>
      <p>${done.sentence}</p>
    </div>`;
  if (problem === null) return nothing;
  return html`<div class="stack" tabindex="-1" data-focus>
    ${problemView(problem, kit)}
    ${
      act === null
        ? nothing
        : html`<div><button type="button" @click=${act}>${kit.language.steps[problem.next]}</button></div>`
    }
  </div>`;
}

/** The button that leaves a step. */
export function backView(back: () => void, { words }: Kit): TemplateResult {
  return html`<div><button type="button" class="plain" @click=${back}>${words.back}</button></div>`;
}
