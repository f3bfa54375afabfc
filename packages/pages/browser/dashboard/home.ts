import { ENGLISH } from '@subrail/browser';
import type { CohortReport, FigureReport, Schedule } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { alertsView } from './alerts.js';
import { readHealth, serviceNow, type Health, type Query } from './api.js';
import { chart, type Series } from './chart.js';
import type { Context, Shown } from './context.js';
import { filesView } from './files.js';
import { counted, dayName, dollars, NOTHING, percent, rounded } from './figures-text.js';
import { columnOf, formats, table, tile } from './pieces.js';
import { hashOf } from './place.js';
import { reasonText, words } from './words.js';

interface Data {
  readonly report: FigureReport;
  /** The span before, as long as this one; null where there is none. */
  readonly before: FigureReport['total'] | null;
  readonly schedule: Schedule;
  readonly cohorts: CohortReport['data'];
  readonly health: Health;
}

const texts = words.home;

/** The spans to choose from, in days, and in which parts each is shown. */
const SPANS = [
  { days: 30, by: 'day', name: '30 days' },
  { days: 90, by: 'week', name: '90 days' },
  { days: 365, by: 'month', name: '12 months' },
  { days: 1_095, by: 'month', name: '3 years' },
] as const;

const DAY_MS = 86_400_000;

type Row = FigureReport['data'][number];
type Token = Row['tokens'][number];

/** The home of a project: its figures, and what needs somebody. */
export async function homePage(context: Context): Promise<Shown> {
  const data = await read(context);
  return { title: words.pages.home, view: () => homeView(data, context) };
}

async function read({ routes, place }: Context): Promise<Data> {
  const { days, by } = spanOf(place.query);
  const to = dateOf(serviceNow() - days * DAY_MS);
  const [report, before, schedule, cohorts, health] = await Promise.all([
    routes.get<FigureReport>('figures', { days, by }),
    days > 365 ? null : routes.get<FigureReport>('figures', { days, to, by: 'month' }),
    routes.get<Schedule>('schedule', { days: 30 }),
    routes.get<CohortReport>('cohorts', { months: 12 }),
    readHealth(),
  ]);
  return { report, before: before && before.total, schedule, cohorts: cohorts.data, health };
}

function homeView({ report, before, schedule, cohorts, health }: Data, context: Context): TemplateResult {
  const { total } = report;
  const token = tokenOf(report, context.place.query);
  const ofBefore = before && sameToken(before, token);
  return html`${alertsView(health, context)} ${lateView(health, context)} ${choices(report, token, context)}
    <dl class="tiles">
      ${[
        [texts.mrr, revenueOf(total, token), before && revenueOf(before, ofBefore)],
        [texts.collected, collectedOf(total, token), before && collectedOf(before, ofBefore)],
        [texts.active, total.active, before?.active],
        [texts.new, total.new, before?.new],
        [texts.lost, total.lost, before?.lost],
        [texts.churn, percent(total.churn_rate), before && percent(before.churn_rate)],
        [texts.recovered, recoveredOf(total, token), before && recoveredOf(before, ofBefore)],
      ].map(([name, value, earlier]) =>
        tile(
          String(name),
          shown(value),
          earlier == null || earlier === NOTHING ? null : texts.before(shown(earlier)),
        ),
      )}
      ${tile(texts.charger, ...chargerOf(health, report))}
    </dl>
    <p class="hint">${texts.days}</p>
    ${token === null ? html`<p class="empty">${texts.nothing}</p>` : nothing}
    <div class="columns">
      ${token === null ? nothing : charts(report, token, schedule)} ${causes(total, context)}
    </div>
    ${cohortTable(cohorts)} ${filesView(context, 'figures', fileOf(context))}`;
}

/** The passes of the worker that are late or fail, with the way to them. */
function lateView({ worker }: Health, { project }: Context): TemplateResult | typeof nothing {
  const late = Object.entries(worker).flatMap(([name, { state }]) =>
    state === 'late' || state === 'failing' ? [words.health.passNames[name] ?? name] : [],
  );
  if (late.length === 0) return nothing;
  return html`<p class="notice warn">
    ${texts.late(late)} <a href=${hashOf(project.id, 'health')}>${words.health.ways.health}</a>
  </p>`;
}

/** The figures of the span that is shown, in its parts. Its days are in the name of the file. */
function fileOf({ place: { query } }: Context): Query {
  const { days, by } = spanOf(query);
  return { from: dateOf(serviceNow() - (days - 1) * DAY_MS), to: dateOf(serviceNow()), by };
}

function spanOf(query: URLSearchParams): (typeof SPANS)[number] {
  return SPANS.find(({ days }) => String(days) === query.get('days')) ?? SPANS[0];
}

function shown(value: string | number | null | undefined): string {
  return typeof value === 'number' ? value.toLocaleString('en') : (value ?? NOTHING);
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** The token whose money is shown: the one of the address, or that with the most charges. */
function tokenOf({ total }: FigureReport, query: URLSearchParams): Token | null {
  const asked = total.tokens.find(({ mint }) => mint === query.get('token'));
  const most = [...total.tokens].sort((one, other) => other.collected.count - one.collected.count)[0];
  return asked ?? most ?? null;
}

function sameToken({ tokens }: FigureReport['total'], token: Token | null): Token | null {
  return tokens.find(({ mint }) => mint === token?.mint) ?? null;
}

/** The spans and the tokens to choose from. */
function choices(report: FigureReport, token: Token | null, { place, project }: Context): TemplateResult {
  const span = spanOf(place.query);
  const leadTo = (days: number, mint: string | null) =>
    hashOf(project.id, 'home', [], { days: String(days), token: mint });
  const choice = (isChosen: boolean, href: string, name: string) =>
    html`<a href=${href} aria-current=${isChosen ? 'true' : nothing}>${name}</a>`;
  const { tokens } = report.total;
  return html`<div class="actions">
    <nav class="filters" aria-label=${texts.span}>
      ${SPANS.map(({ days, name }) => choice(days === span.days, leadTo(days, token?.mint ?? null), name))}
    </nav>
    ${
      tokens.length < 2
        ? nothing
        : html`<nav class="filters" aria-label=${texts.token}>
            ${tokens.map((one) => choice(one.mint === token?.mint, leadTo(span.days, one.mint), nameOf(one)))}
          </nav>`
    }
  </div>`;
}

function nameOf({ symbol, mint }: Token): string {
  return symbol ?? `${mint.slice(0, 4)}…${mint.slice(-4)}`;
}

function revenueOf({ mrr_usd, tokens }: FigureReport['total'], token: Token | null): string {
  if (mrr_usd !== null && tokens.some(({ mrr }) => mrr.amount_usd !== null)) return dollars(mrr_usd);
  return token === null ? NOTHING : rounded(token.mrr.amount, token);
}

function collectedOf({ tokens }: FigureReport['total'], token: Token | null): string {
  const isPriced = tokens.length > 0 && tokens.every(({ collected }) => collected.unpriced === 0);
  if (isPriced && tokens.length > 1) {
    const sum = tokens.reduce((all, { collected }) => all + Number(collected.amount_usd), 0);
    return dollars(sum.toFixed(6));
  }
  return token === null ? NOTHING : formats.units(token.collected.amount, token);
}

/** The share of what failed that retries won back, and how much that was. */
function recoveredOf({ recovery_rate: rate }: FigureReport['total'], token: Token | null): string {
  if (rate === null || token === null) return percent(rate);
  return `${percent(rate)}, ${formats.units(token.recovered.amount, token)}`;
}

/** The charger's SOL, and how long it lasts at the pace of the span. */
function chargerOf(
  { charger_account: { balance_lamports, charges } }: Health,
  { from, to, total }: FigureReport,
): [string, string | null] {
  if (balance_lamports === null) return [texts.notRead, null];
  const left = Number(charges ?? 0);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const paid = total.tokens.reduce((sum, { collected }) => sum + collected.count, 0);
  const lasts = paid === 0 ? null : timeOf((left * days) / paid);
  return [formats.sol(balance_lamports), texts.enough(counted(left, 'charge'), lasts)];
}

/** A number of days as people tell it. */
function timeOf(days: number): string {
  if (days < 60) return counted(Math.floor(days), 'day');
  if (days < 730) return counted(Math.floor(days / 30), 'month');
  return days < 3_650 ? counted(Math.floor(days / 365), 'year') : texts.years;
}

/** The parts of a report that are not whole: the first, which may begin with the span, and that of today. */
function partialOf({ data, by, from }: FigureReport): ReadonlyMap<number, string> {
  const begins = by === 'day' || (by === 'week' ? new Date(from).getUTCDay() === 1 : from.endsWith('-01'));
  return new Map([
    ...(begins ? [] : [[0, texts.fromDay(dayName(from))] as const]),
    [data.length - 1, texts.soFar],
  ]);
}

function charts(report: FigureReport, token: Token, schedule: Schedule): TemplateResult {
  const { data, by } = report;
  const partial = partialOf(report);
  // A line has what there is at the end of a part, also of one that began later.
  const last = new Map([[data.length - 1, texts.soFar]]);
  const dates = data.map(({ date }) => (by === 'month' ? date.slice(0, 7) : dayName(date)));
  const tokens = data.map((row) => row.tokens.find(({ mint }) => mint === token.mint) ?? null);
  const amounts = (name: string, tone: Series['tone'], of: (one: Token) => string): Series => ({
    name,
    tone,
    values: tokens.map((one) => (one === null ? 0 : Number(of(one)) / 10 ** token.decimals)),
    texts: tokens.map(
      columnOf(
        tokens,
        (one) => (one === null ? '0' : of(one)),
        () => token,
      ),
    ),
  });
  const counts = (name: string, tone: Series['tone'], of: (row: Row) => number): Series => ({
    name,
    tone,
    values: data.map(of),
    texts: data.map((row) => of(row).toLocaleString('en')),
  });
  const unit = token.symbol ?? ENGLISH.tokens;
  const due = daysOf(schedule, token.mint);
  return html`${chart({
    title: texts.collectedAndFailed(unit),
    about: texts.collectedAndFailedAbout(unit),
    kind: 'bars',
    dates,
    partial,
    axis: short,
    series: [
      amounts(texts.collected, 'good', ({ collected }) => collected.amount),
      amounts(texts.failedAtFirst, 'bad', ({ failed }) => failed.amount),
    ],
  })}
  ${chart({
    title: texts.mrrIn(unit),
    about: texts.mrrAbout(unit),
    kind: 'line',
    dates,
    partial: last,
    axis: short,
    series: [
      {
        ...amounts(texts.mrrShort, 'main', ({ mrr }) => mrr.amount),
        texts: tokens.map((one) => rounded(one?.mrr.amount ?? '0', token)),
      },
    ],
  })}
  ${chart({
    title: texts.active,
    about: texts.activeAbout,
    kind: 'line',
    dates,
    partial: last,
    axis: short,
    series: [
      counts(texts.activeShort, 'main', ({ active }) => active),
      counts(texts.recurring, 'good', ({ recurring }) => recurring),
    ],
  })}
  ${chart({
    title: texts.cameAndWent,
    about: texts.cameAndWentAbout,
    kind: 'bars',
    dates,
    partial,
    axis: short,
    series: [
      counts(texts.new, 'good', (row) => row.new),
      counts(texts.returned, 'main', ({ returned }) => returned),
      counts(texts.lost, 'bad', ({ lost }) => lost),
    ],
    columns: [[texts.churn, data.map(({ churn_rate: rate }) => percent(rate))]],
  })}
  ${chart({
    title: texts.due(unit),
    about: texts.dueAbout(unit),
    kind: 'bars',
    notes: [7, 30].map((days) => dueText(due.slice(0, days), days, token)),
    isAhead: true,
    dates: due.map(({ date }) => dayName(date)),
    axis: short,
    series: (['charges', 'retries'] as const).map((kind) => ({
      name: texts.kinds[kind],
      tone: kind === 'charges' ? 'main' : 'warn',
      values: due.map((day) => Number(day[kind].amount) / 10 ** token.decimals),
      texts: due.map(
        (day) => `${formats.units(day[kind].amount, token)}, ${counted(day[kind].count, 'charge')}`,
      ),
    })),
  })}`;
}

/** Every day of a schedule, also those without a charge. */
function daysOf({ from, to, data }: Schedule, mint: string): Schedule['data'] {
  const none = { count: 0, amount: '0', amount_usd: '0.00' };
  const days = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const date = dateOf(at);
    const due = data.find((day) => day.date === date && day.mint === mint);
    days.push(due ?? { date, mint, decimals: 0, charges: none, retries: none });
  }
  return days;
}

/** The sums of the first days of a schedule: of charges, and of retries, which may fail again. */
function dueText(due: Schedule['data'], days: number, token: Token): string {
  const [charges, retries] = (['charges', 'retries'] as const).map((kind) =>
    formats.units(String(due.reduce((sum, day) => sum + BigInt(day[kind].amount), 0n)), token),
  );
  return texts.dueWithin(days, charges ?? '', retries ?? '');
}

/** A value at an axis, such as `1.5k`. */
function short(value: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 }).format(value);
}

function causes(total: FigureReport['total'], { project }: Context): TemplateResult {
  const rows = [
    ...total.failure_causes.map(({ outcome, reason, count }) => ({
      what: texts.what[outcome],
      reason,
      count,
    })),
    ...total.lapsed_causes.map((cause) => ({ what: texts.what.lapsed, ...cause })),
    ...total.lost_causes.map((cause) => ({ what: texts.what.lost, ...cause })),
  ];
  return html`<section class="card">
    <h2>${texts.wrong}</h2>
    ${table(
      texts.wrongCaption,
      [
        { head: texts.whatHead, cell: ({ what }) => what },
        { head: texts.why, cell: ({ reason }) => reasonText(reason) },
        { head: texts.count, cell: ({ count }) => count.toLocaleString('en'), isNumber: true },
      ],
      rows,
      texts.nothingWrong,
    )}
    <p class="actions">
      ${(['late', 'cannot_pay', 'ending'] as const).map(
        (filter) =>
          html`<a href=${hashOf(project.id, 'customers', [], { filter })}>${texts.customersWho[filter]}</a>`,
      )}
    </p>
    ${retries(total)}
  </section>`;
}

function retries({ retries: rows }: FigureReport['total']): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  return html`<section>
    <h2>${texts.retries}</h2>
    ${table(
      texts.retriesCaption,
      [
        { head: texts.retry, cell: ({ number }) => (number === null ? texts.byHand : String(number)) },
        { head: texts.paid, cell: ({ paid }) => String(paid), isNumber: true },
        { head: texts.failed, cell: ({ failed }) => String(failed), isNumber: true },
        { head: texts.rate, cell: ({ rate }) => percent(rate), isNumber: true },
      ],
      rows,
      '',
    )}
  </section>`;
}

/** How many of those who began in each month still run, in percent of them. */
function cohortTable(cohorts: CohortReport['data']): TemplateResult | typeof nothing {
  const begun = cohorts.filter(({ size }) => size > 0);
  if (begun.length === 0) return nothing;
  const longest = Math.max(...begun.map(({ running }) => running.length));
  return html`<section class="card">
    <h2>${texts.stayed}</h2>
    <p class="hint">${texts.stayedAbout}</p>
    <div class="scroll" tabindex="0">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">${texts.month}</th>
            <th scope="col" class="number">${texts.began}</th>
            ${Array.from({ length: longest }, (_, after) => html`<th scope="col" class="number">+${after}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${begun.map(
            ({ month, size, running }) =>
              html`<tr>
                <th scope="row">${month}</th>
                <td class="number">${size}</td>
                ${Array.from({ length: longest }, (_, after) => {
                  const left = running[after];
                  return html`<td class="number">${left === undefined ? '' : percent(left / size)}</td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
