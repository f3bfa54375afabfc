import type { AttemptWire, EventWire, SubscriptionDetail } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import {
  badge,
  breakable,
  columnOf,
  moment,
  signatureLink,
  SOL,
  table,
  type Piece,
  type Tone,
  type Unit,
} from './pieces.js';
import { reasonText, words } from './words.js';

const texts = words.subscription;

const TONES: Readonly<Record<string, Tone>> = {
  paid: 'good',
  landed: 'good',
  rejected: 'bad',
  failed: 'bad',
  blocked: 'warn',
  lost: 'warn',
};

/** What a name of the service means, in a badge. */
const named = (name: string, meanings: Readonly<Record<string, string>>) =>
  badge(TONES[name] ?? 'quiet', meanings[name] ?? name);

const { retry } = words.customers;

/** The outcome of an attempt, which retry it was, and why it was not paid. */
export const outcomeView = (row: Omit<AttemptWire, 'retries_allowed'>, allowed: number | null): Piece =>
  html`${named(row.outcome, words.outcomes)} ${row.retry ? retry(row.retry_number, allowed) : nothing}
    <span class="under">${reasonText(row.reason)}</span>`;

/** The attempts to charge a subscription. */
export const attemptTable = (attempts: readonly AttemptWire[], unit: Unit): TemplateResult => html`
  <section>
    ${table(
      texts.attempts,
      [
        { head: texts.when, cell: (row) => moment(row.attempted_at) },
        { head: texts.outcome, cell: (row) => outcomeView(row, row.retries_allowed) },
        {
          head: texts.amount,
          cell: columnOf(
            attempts,
            ({ amount }) => amount,
            () => unit,
          ),
          isNumber: true,
        },
        { head: texts.period, cell: (row) => moment(row.period_start) },
        { head: texts.signature, cell: (row) => signatureLink(row.signature) },
      ],
      attempts,
      texts.noAttempts,
    )}
  </section>
`;

/** The transactions that paid for a subscription, or were to. */
export const transferTable = (
  transfers: SubscriptionDetail['transfers']['data'],
  unit: Unit,
): TemplateResult => html`
  <section>
    ${table(
      texts.transfers,
      [
        { head: texts.when, cell: (row) => moment(row.created_at) },
        { head: texts.kind, cell: (row) => words.kinds[row.trigger ?? row.kind] ?? row.kind },
        { head: texts.state, cell: (row) => named(row.state, words.transferStates) },
        {
          head: texts.amount,
          cell: columnOf(
            transfers,
            ({ amount }) => amount,
            () => unit,
          ),
          isNumber: true,
        },
        {
          head: texts.fee,
          cell: columnOf(
            transfers,
            ({ fee_lamports: fee }) => fee,
            () => SOL,
          ),
          isNumber: true,
        },
        { head: texts.signature, cell: (row) => signatureLink(row.signature) },
      ],
      transfers,
      texts.noTransfers,
    )}
  </section>
`;

/** The events of a subscription. */
export const eventTable = (events: readonly EventWire[]): TemplateResult => html`
  <section>
    ${table(
      texts.events,
      [
        { head: texts.when, cell: (row) => moment(row.created_at) },
        { head: texts.event, cell: (row) => breakable(row.type) },
        { head: texts.sequence, cell: (row) => String(row.sequence ?? words.none), isNumber: true },
        { head: words.deliveries.id, cell: (row) => html`<code>${row.id}</code>` },
      ],
      events,
      texts.noEvents,
    )}
    ${events.length === 0 ? nothing : html`<p class="hint">${texts.eventsKept}</p>`}
  </section>
`;
