import type { Manager } from '@subrail/core/client';
import type { DeliveryWire, EventWire } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { Context, Shown } from './context.js';
import { badge, breakable, factList, moment, table, type Piece, type Tone } from './pieces.js';
import { hashOf } from './place.js';
import { words } from './words.js';

const texts = words.deliveries;

/** A delivery with its attempts. */
export type Delivery = Awaited<ReturnType<ReturnType<Manager['project']>['deliveries']['retrieve']>>;

const TONES: Readonly<Record<DeliveryWire['state'], Tone>> = {
  delivered: 'good',
  pending: 'quiet',
  failed: 'bad',
};

const stateBadge = ({ state }: DeliveryWire): Piece => badge(TONES[state], texts.states[state]);

/** The answer of a receiver: its status, or that there was none. */
function statusView(status: number | null): Piece {
  const isAccepted = status !== null && status >= 200 && status < 300;
  return html`<span class=${isAccepted ? '' : 'failed'}>${status ?? texts.noAnswer}</span>`;
}

/** Deliveries, each of which leads to its attempts. */
export const deliveryTable = (
  project: string,
  deliveries: readonly DeliveryWire[],
  caption: string,
  empty: Piece,
  {
    addressOf = null,
    filters = nothing,
  }: {
    readonly addressOf?: ((endpoint: string) => string) | null;
    readonly filters?: TemplateResult | typeof nothing;
  } = {},
): TemplateResult => html`
  <section>
    ${table(
      caption,
      [
        {
          head: texts.type,
          cell: (row) =>
            html`<a href=${hashOf(project, 'webhooks', ['delivery', row.id])}>${breakable(row.type)}</a>`,
        },
        ...(addressOf === null
          ? []
          : [{ head: texts.to, cell: (row: DeliveryWire) => breakable(addressOf(row.endpoint)) }]),
        { head: texts.state, cell: stateBadge },
        { head: texts.attempts, cell: (row) => String(row.attempts), isNumber: true },
        {
          head: texts.answer,
          cell: (row) => (row.attempts === 0 ? words.none : statusView(row.last_status)),
        },
        { head: texts.created, cell: (row) => moment(row.created_at) },
        { head: texts.next, cell: (row) => moment(row.next_attempt_at) },
      ],
      deliveries,
      empty,
      filters,
    )}
  </section>
`;

/** The attempts of a delivery, each with what the receiver answered. */
export const logTable = ({ log }: Pick<Delivery, 'log'>): TemplateResult =>
  table(
    texts.log,
    [
      { head: texts.number, cell: (row) => String(row.number) },
      { head: texts.started, cell: (row) => moment(row.started_at) },
      { head: texts.took, cell: (row) => texts.milliseconds(row.duration_ms), isNumber: true },
      { head: texts.answer, cell: (row) => statusView(row.status) },
      {
        head: texts.excerpt,
        cell: (row) => (row.excerpt === '' ? words.none : html`<code>${row.excerpt}</code>`),
      },
      { head: texts.next, cell: (row) => moment(row.next_attempt_at) },
    ],
    log,
    texts.noLog,
  );

/** A delivery: what was sent, and every answer. */
export async function deliveryPage(context: Context, id: string): Promise<Shown> {
  const { routes, project, act, mayAct } = context;
  const delivery = await routes.get<Delivery>(`deliveries/${encodeURIComponent(id)}`);
  const { event, endpoint } = delivery;
  // The body is gone with its event, after 30 days.
  const body = event === null ? null : await routes.get<EventWire>(`v1/events/${event}`).catch(() => null);
  const resend = () =>
    act(async () => {
      await routes.post('deliveries/resend', { event, endpoint });
      return texts.resent;
    });
  return {
    title: texts.title(delivery.type),
    view: () => html`
      <p class="pages">
        <a href=${hashOf(project.id, 'webhooks', [endpoint])}>${words.back(texts.endpoint)}</a>
        ${
          body === null
            ? nothing
            : html`<a href=${hashOf(project.id, 'customers', [body.data.id])}>${texts.toSubscription}</a>`
        }
      </p>
      <div class="card">
        ${factList([
          [texts.state, stateBadge(delivery)],
          [texts.created, moment(delivery.created_at)],
          [texts.settled, moment(delivery.settled_at)],
          [texts.next, moment(delivery.next_attempt_at)],
          [texts.id, html`<code>${delivery.id}</code>`],
        ])}
      </div>
      ${
        event === null
          ? nothing
          : mayAct
            ? html`<div class="actions">
                <button class="primary" @click=${resend}>${texts.resend}</button>
              </div>`
            : html`<p class="hint">${words.toAct}</p>`
      }
      <section>${logTable(delivery)}</section>
      ${
        body === null
          ? nothing
          : html`<section>
              <h2 id="request">${texts.request}</h2>
              <pre tabindex="0" aria-labelledby="request">${JSON.stringify(body, null, 2)}</pre>
            </section>`
      }
    `,
  };
}
