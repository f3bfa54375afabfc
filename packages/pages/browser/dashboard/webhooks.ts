import type { DeliveryWire, EndpointWire, EndpointWithSecret } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { ask, chosenOf, reveal } from './ask.js';
import type { Context, Shown } from './context.js';
import { deliveryTable, logTable, type Delivery } from './delivery.js';
import { badge, breakable, factList, moment, pagesView, table, type Piece, type Tone } from './pieces.js';
import { filterLinks } from './find.js';
import { hashOf } from './place.js';
import { eventWords } from './list-words.js';
import { EVENT_TYPES, words } from './words.js';

const texts = words.webhooks;

interface Deliveries {
  readonly data: readonly DeliveryWire[];
  readonly has_more: boolean;
}

/** How an endpoint does. */
function healthBadge(endpoint: EndpointWire): Piece {
  const {
    enabled,
    disabled_reason: reason,
    failing_since: failing,
    last_failure: last,
    can_sign: canSign,
  } = endpoint;
  const told = (tone: Tone, text: string, why: Piece) =>
    html`${badge(tone, text)} <span class="under">${why}</span>`;
  if (!enabled)
    return reason === null ? badge('warn', texts.off) : told('warn', texts.off, texts.turnedOff[reason]);
  if (!canSign) return told('bad', texts.cannotSign, texts.toSign);
  if (failing === null) return badge('good', texts.works);
  const answer = last === null ? nothing : html`<br />${last.status ?? ''} ${last.excerpt}`;
  return told('bad', texts.failing, html`${texts.since} ${moment(failing)}${answer}`);
}

/** The endpoints of a project, and its newest deliveries. */
export async function endpointsPage(context: Context): Promise<Shown> {
  const { routes, project, act, mayAct, place } = context;
  const [endpoints, deliveries] = await Promise.all([
    routes.get<readonly EndpointWire[]>('endpoints'),
    routes.get<Deliveries>('deliveries', queryOf(place.query, null)),
  ]);
  const create = () =>
    act(async () => {
      const answer = await ask({
        title: texts.create,
        sentence: texts.createAsk,
        fields: [{ name: 'url', label: texts.url, isRequired: true, hint: texts.urlHint }],
        choices: typeChoices(EVENT_TYPES),
        yes: texts.create,
      });
      if (answer === null) return null;
      const { secret } = await routes.post<EndpointWithSecret>('endpoints', {
        url: answer['url'],
        types: chosenOf(answer, EVENT_TYPES),
      });
      await reveal(texts.secret, texts.secretOnce, secret);
      return texts.created;
    });
  return {
    title: words.pages.webhooks,
    view: () => html`
      <section>
        ${mayAct ? nothing : html`<p class="hint">${words.toAct}</p>`}
        ${table(
          texts.endpoints,
          [
            {
              head: texts.url,
              cell: (row) =>
                html`<a href=${hashOf(project.id, 'webhooks', [row.id])}>${breakable(row.url)}</a>`,
            },
            { head: texts.health, cell: healthBadge },
            {
              head: texts.types,
              cell: (row) =>
                isOfEvery(row) ? texts.every : texts.someOf(row.types.length, EVENT_TYPES.length),
            },
            { head: texts.madeAt, cell: (row) => moment(row.created_at) },
          ],
          endpoints,
          texts.noEndpoints,
          mayAct ? html`<button class="primary" @click=${create}>${texts.create}</button>` : nothing,
        )}
      </section>
      ${deliveriesView(context, deliveries, endpoints)}
    `,
  };
}

const isOfEvery = ({ types }: EndpointWire) => types.length === EVENT_TYPES.length;

/** The types of events to choose from, each with what it tells. */
const typeChoices = (chosen: EndpointWire['types']) => ({
  label: texts.types,
  all: texts.everyType,
  options: Object.entries(eventWords),
  chosen,
});

const queryOf = (query: URLSearchParams, endpoint: string | null) => ({
  endpoint,
  state: query.get('state'),
  limit: 25,
  starting_after: query.get('after'),
});

/** The deliveries with their filter and their pages. */
function deliveriesView(
  { place, project }: Context,
  { data, has_more: hasMore }: Deliveries,
  endpoints: readonly EndpointWire[] | null = null,
): TemplateResult {
  const state = place.query.get('state');
  // Of deleted endpoints only the id is left.
  const addressOf =
    endpoints && ((endpoint: string) => endpoints.find(({ id }) => id === endpoint)?.url ?? endpoint);
  const filters = filterLinks(
    texts.deliveries,
    Object.entries({ '': words.all, ...words.deliveries.states }).map(([name, label]) => [
      label,
      hashOf(project.id, place.page, place.rest, { state: name }),
      name === (state ?? ''),
    ]),
  );
  return html`<section>
    ${deliveryTable(project.id, data, texts.deliveries, texts.noDeliveries, { addressOf, filters })}
    ${pagesView(project.id, place, hasMore ? (data.at(-1)?.id ?? null) : null)}
  </section>`;
}

/** An endpoint: its health, its deliveries, and what can be done. */
export async function endpointPage(context: Context, id: string): Promise<Shown> {
  const { routes, project, place } = context;
  const path = `endpoints/${encodeURIComponent(id)}`;
  const [endpoint, deliveries] = await Promise.all([
    routes.get<EndpointWire>(path),
    routes.get<Deliveries>('deliveries', queryOf(place.query, id)),
  ]);
  return {
    title: endpoint.url,
    view: () => html`
      <p><a href=${hashOf(project.id, 'webhooks')}>${words.back(words.pages.webhooks)}</a></p>
      <div class="card">
        ${factList([
          [texts.health, healthBadge(endpoint)],
          [
            texts.types,
            isOfEvery(endpoint)
              ? texts.every
              : html`${endpoint.types.map((type) => html`${breakable(type)} `)}`,
          ],
          [texts.madeAt, moment(endpoint.created_at)],
          [texts.oldSecret, moment(endpoint.previous_secret_expires_at)],
          [words.deliveries.id, html`<code>${endpoint.id}</code>`],
        ])}
      </div>
      ${actionsView(context, endpoint, path)} ${lastTest.get(endpoint.id) ?? nothing}
      ${deliveriesView(context, deliveries)}
    `,
  };
}

/** The outcome of the last test of an endpoint, which stays while its page is open. */
const lastTest = new Map<string, TemplateResult>();

function actionsView(
  { act, mayAct, routes, project }: Context,
  { id, url, enabled, types }: EndpointWire,
  path: string,
) {
  if (!mayAct) return html`<p class="hint">${words.toAct}</p>`;
  const test = () =>
    act(async () => {
      const delivery = await routes.post<Delivery>(`${path}/test`, {});
      lastTest.set(id, html`<section>${logTable(delivery)}</section>`);
      if (delivery.state === 'failed') throw new Error(texts.tested.failed);
      return texts.tested[delivery.state];
    });
  const turn = (isOn: boolean) => () =>
    act(async () => {
      const question = {
        title: texts.disable,
        sentence: texts.disableAsk,
        yes: texts.disable,
        isDanger: true,
      };
      if (!isOn && (await ask(question)) === null) return null;
      await routes.post(`${path}/${isOn ? 'enable' : 'disable'}`);
      return isOn ? texts.enabled : texts.disabled;
    });
  const recover = () =>
    act(async () => {
      const answer = await ask({
        title: texts.recover,
        sentence: texts.recoverAsk,
        fields: [{ name: 'since', label: texts.recoverSince, type: 'datetime-local', isRequired: true }],
        yes: texts.recover,
      });
      if (answer === null) return null;
      const since = new Date(answer['since'] ?? '').toISOString();
      const { recovered } = await routes.post<{ readonly recovered: number }>(`${path}/recover`, { since });
      return texts.recovered(recovered);
    });
  const rotate = () =>
    act(async () => {
      const hours = ['24', '1', '0'] as const;
      const answer = await ask({
        title: texts.rotate,
        sentence: texts.rotateAsk,
        fields: [
          { name: 'hours', label: texts.overlap, options: hours.map((one) => [one, texts.hours[one]]) },
        ],
        yes: texts.rotate,
      });
      if (answer === null) return null;
      const { secret } = await routes.post<EndpointWithSecret>(`${path}/secret`, {
        overlap_hours: Number(answer['hours']),
      });
      await reveal(texts.secret, texts.secretOnce, secret);
      return texts.rotated;
    });
  const choose = () =>
    act(async () => {
      const answer = await ask({
        title: texts.choose,
        sentence: texts.chooseAsk,
        choices: typeChoices(types),
        yes: words.subscription.save,
      });
      if (answer === null) return null;
      await routes.post(path, { types: chosenOf(answer, EVENT_TYPES) });
      return texts.chosen;
    });
  const remove = () =>
    act(async () => {
      if (
        (await ask({
          title: texts.remove,
          sentence: texts.removeAsk(url),
          yes: texts.remove,
          isDanger: true,
        })) === null
      )
        return null;
      await routes.post(`${path}/delete`);
      location.hash = hashOf(project.id, 'webhooks');
      return null;
    });
  return html`<div class="actions">
    ${
      enabled
        ? html`<button class="primary" @click=${test}>${texts.test}</button>
            <button @click=${recover}>${texts.recover}</button>`
        : html`<button class="primary" @click=${turn(true)}>${texts.enable}</button>`
    }
    <button @click=${choose}>${texts.choose}</button>
    <button @click=${rotate}>${texts.rotate}</button>
    ${enabled ? html`<button class="danger" @click=${turn(false)}>${texts.disable}</button>` : nothing}
    <button class="danger" @click=${remove}>${texts.remove}</button>
  </div>`;
}
