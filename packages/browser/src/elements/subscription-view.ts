import type { AttemptPage, AttemptWire, CustomerSubscription } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { OfferedPlan } from '../checkout-state.js';
import type { PortalState } from '../portal-state.js';
import { shortened } from '../formats.js';
import { actionsView } from './actions-view.js';
import { planButtons } from './checkout-view.js';
import type { Kit } from './kit.js';
import { cardNoticeView, dateLine, dateView, noteView, payerLine, type Piece, topUpView } from './pieces.js';
import type { Words } from './words.js';

type Ready = Extract<PortalState, { name: 'ready' }>;

/** The statuses in which the seller is paid, and those in which the customer has something to do. */
export const TONES: Partial<Record<CustomerSubscription['status'], 'good' | 'warn'>> = {
  active: 'good',
  unpaid: 'warn',
  stopped: 'warn',
};

/** The end of the time that is paid; nothing where the next payment is due at it, or where nothing runs. */
export function paidLine(
  status: CustomerSubscription['status'],
  paid: string | null,
  next: string | null,
  kit: Kit,
): Piece {
  const isRunning = status === 'active' || status === 'cancelled';
  return dateLine(kit.words.paidUntil, isRunning && paid !== next ? paid : null, kit);
}

/** A subscription: what it is, what comes next, what can be done, and what was paid. */
export function subscriptionView(subscription: CustomerSubscription, state: Ready, kit: Kit): TemplateResult {
  const { words, formats, level } = kit;
  const { id, status, wallet, paused, blocked_reason: blocked, late_reason: late } = subscription;
  const outcome = cardNoticeView(id, state, kit);
  const plan = state.session.plans.find(({ slug }) => slug === subscription.plan) ?? null;
  const name = plan?.name ?? subscription.plan ?? shortened(id);
  const sentence = sentenceOf(subscription, plan, words);
  // Money is asked for where it is charged: a shop that is paused or blocked takes none.
  const isLate = status === 'unpaid' && !paused && blocked === null;
  const isShort = isLate && late === 'insufficient_balance' && !hasNoTryLeft(subscription);
  const code = state.problem?.code;
  const isSaid =
    outcome !== nothing && (state.done !== null || code === late || (isShort && code === 'charge_missed'));
  const said =
    sentence === null || isSaid
      ? nothing
      : isLate
        ? noteView(sentence)
        : html`<p class="soft">${sentence}</p>`;
  return html`<article class="card" part="card" aria-labelledby=${id}>
    <div class="tight">
      <div class="row apart">
        <div class="step" id=${id} role="heading" aria-level=${level + 1} tabindex="-1">${name}</div>
        <span class=${`tag ${TONES[status] ?? ''}`}>${words.status[status]}</span>
      </div>
      ${
        plan === null
          ? nothing
          : html`<p>${formats.price(plan)} <span class="soft">${formats.period(plan)}</span></p>`
      }
      ${isLate ? nothing : said}
    </div>
    <dl>${datesOf(subscription, plan, kit)} ${isShort ? nothing : payerLine(wallet, kit)}</dl>
    ${outcome} ${isLate ? said : nothing} ${isShort ? topUpView(wallet, state.session, kit) : nothing}
    ${actionsView(
      {
        name,
        price: plan && formats.price(plan),
        paidUntil: status === 'active' ? subscription.current_period_end : null,
        actions: subscription.actions,
        isBusy: false,
        act: (action) =>
          action === 'subscribe' ? state.subscribe(subscription.plan ?? '') : state[action](id),
      },
      kit,
    )}
    ${fundsView(subscription, state, kit)} ${changeView(subscription, state, kit)}
    ${paymentsView(subscription, plan, state, kit)}
  </article>`;
}

/** Whether a missed period only waits for its deadline. An expired session offers no action at all. */
const hasNoTryLeft = ({ actions, retry_deadline: deadline }: CustomerSubscription): boolean =>
  deadline !== null && actions.includes('cancel') && !actions.includes('retry');

/** How a subscription stands, where its status alone does not say it; null otherwise. */
function sentenceOf(
  subscription: CustomerSubscription,
  plan: OfferedPlan | null,
  words: Words,
): string | null {
  const { status, paused, late_reason: late, stop_reason: stop, blocked_reason: blocked } = subscription;
  const { actions, next_charge_at: next, end_reason: end } = subscription;
  // The account that is to be closed is in the place of the next one.
  const comeBack = actions.includes('subscribe') && actions.includes('close') ? ` ${words.closeFirst}` : '';
  if (paused) return words.paused;
  if (status === 'stopped' && stop !== null) return words.stopped[stop] + comeBack;
  if (blocked !== null) return words.blockedCharges;
  // The other late reasons say what follows themselves.
  if ((late === null || late === 'insufficient_balance') && hasNoTryLeft(subscription))
    return words.noTryLeft;
  if (status === 'unpaid' && late !== null) return words.late[late];
  if (status === 'ended') return end === 'plan_changed' ? words.planChanged : words.ended + comeBack;
  const endsWithPlan = status === 'active' && next === null && plan?.ends_at != null;
  return status === 'cancelled' || endsWithPlan ? words.nothingCharged : null;
}

function datesOf(subscription: CustomerSubscription, plan: OfferedPlan | null, kit: Kit): Piece[] {
  const { words, formats } = kit;
  const {
    status,
    current_period_end: paid,
    next_charge_at: next,
    next_retry_at: retry,
    access_until: access,
    closable_from: closable,
    retry_deadline: deadline,
  } = subscription;
  return [
    paidLine(status, paid, next, kit),
    dateLine(words.nextCharge, next, kit, plan && formats.price(plan)),
    dateLine(words.nextRetry, retry, kit),
    dateLine(words.stops, hasNoTryLeft(subscription) ? deadline : null, kit),
    dateLine(words.accessUntil, access === paid || access === next ? null : access, kit),
    dateLine(words.ofWallet.planEnds, status === 'active' ? (plan?.ends_at ?? null) : null, kit),
    dateLine(words.closableFrom, closable, kit),
  ];
}

/** The address of the wallet, for the money of the next payment. */
function fundsView(
  { status, wallet, next_charge_at: next }: CustomerSubscription,
  { session }: Ready,
  kit: Kit,
): Piece {
  if (status !== 'active' || next === null) return nothing;
  return html`<details class="small rule">
    <summary>${kit.words.topUp}</summary>
    ${topUpView(wallet, session, kit)}
  </details>`;
}

/** The plans to which the customer can change. */
function changeView(
  { id, changes_to: slugs }: CustomerSubscription,
  { session, change }: Ready,
  kit: Kit,
): Piece {
  const others = session.plans.filter(({ slug }) => slugs.includes(slug));
  if (others.length === 0) return nothing;
  return html`<details class="small rule">
    <summary>${kit.words.changePlan}</summary>
    ${planButtons(others, (slug) => change(id, slug), kit)}
  </details>`;
}

function paymentsView(
  { id }: CustomerSubscription,
  plan: OfferedPlan | null,
  state: Ready,
  kit: Kit,
): TemplateResult {
  const { words, formats } = kit;
  const page = state.payments[id];
  const read = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.open && page === undefined) state.showPayments(id);
  };
  const list = ({ data, paid, has_more: hasMore }: AttemptPage) => {
    const sum = plan === null ? null : formats.units(paid.amount, plan);
    return html`<p class="soft sum">${words.paymentsSum(paid.count, sum)}</p>
      <ul class="payments">
        ${data.map((attempt) => paymentView(attempt, plan, state, kit))}
      </ul>
      ${
        hasMore
          ? html`<button type="button" class="plain" @click=${() => state.showPayments(id)}>
              ${words.older}
            </button>`
          : nothing
      }`;
  };
  return html`<details class="small rule" @toggle=${read}>
    <summary>${words.payments}</summary>
    ${page === undefined ? html`<p class="soft">${words.readingPayments}</p>` : list(page)}
  </details>`;
}

function paymentView(
  { id, outcome, reason, amount, attempted_at: at }: AttemptWire,
  plan: OfferedPlan | null,
  { showReceipt }: Ready,
  kit: Kit,
): TemplateResult {
  const { words, formats } = kit;
  return html`<li>
    <span>${dateView(at, kit, 'moment')}</span>
    <span>${plan === null ? nothing : formats.units(amount, plan)}</span>
    <span class=${outcome === 'rejected' ? 'wrong' : 'soft'}>${words.outcomes[outcome]}</span>
    <span>
      ${
        outcome === 'paid'
          ? html`<button
              type="button"
              class="plain"
              aria-label=${words.showReceiptOf(formats.day(at))}
              @click=${() => showReceipt(id)}
            >
              ${words.receipt}
            </button>`
          : nothing
      }
    </span>
    ${
      outcome === 'paid'
        ? nothing
        : html`<span class="soft whole">${words.reasons[reason ?? ''] ?? words.otherReason}</span>`
    }
  </li>`;
}
