import { html, nothing, type TemplateResult } from 'lit';
import { alertsView } from './alerts.js';
import { readHealth, type Health } from './api.js';
import type { Context, Shown } from './context.js';
import { badge, factList, formats, moment, table, type Piece, type Tone } from './pieces.js';
import { words } from './words.js';

const texts = words.health;

const TONES: Readonly<Record<string, Tone>> = {
  ok: 'good',
  starting: 'quiet',
  unknown: 'quiet',
  unused: 'quiet',
  low: 'warn',
  late: 'warn',
  suspect: 'warn',
};

/** The state of a part of the service in words. */
const stateBadge = (state: string): Piece => badge(TONES[state] ?? 'bad', texts.states[state] ?? state);

/** The health of the host that serves the page: alerts with what to do, passes, chain and backlog. */
export async function healthPage(context: Context): Promise<Shown> {
  const health = await readHealth();
  return { title: words.pages.health, view: () => healthView(health, context) };
}

function healthView(health: Health, context: Context): TemplateResult {
  const { alerts, store, chain, charger, charger_account: account, sealing_key: sealing, backlog } = health;
  return html`
    ${alerts.length === 0 ? html`<p class="notice good">${texts.noAlerts}</p>` : alertsView(health, context)}
    <div class="columns">
      <section class="card">
        <h2>${texts.parts}</h2>
        ${factList([
          [texts.store, stateBadge(store)],
          [texts.chain, stateBadge(chain.state)],
          [texts.servers, chain.servers.length === 0 ? words.none : html`${chain.servers.map(stateBadge)}`],
          [texts.lag, chain.lag_seconds === null ? words.none : texts.seconds(chain.lag_seconds)],
          [texts.clock, stateBadge(chain.host_clock)],
          [texts.sealing, stateBadge(sealing)],
          [texts.version, health.version ?? words.none],
        ])}
      </section>
      <section class="card">
        <h2>${texts.charger}</h2>
        ${factList([
          [texts.state, stateBadge(charger)],
          [
            texts.balance,
            account.balance_lamports === null ? words.none : formats.sol(account.balance_lamports),
          ],
          [texts.reach, account.charges === null ? words.none : texts.charges(account.charges)],
          [texts.address, html`<code>${account.address}</code>`],
          [texts.readAt, moment(account.read_at)],
        ])}
      </section>
    </div>
    <section>
      ${table(
        texts.passes,
        [
          { head: texts.pass, cell: ([name]) => texts.passNames[name] ?? name },
          { head: texts.state, cell: ([, pass]) => stateBadge(pass.state) },
          { head: texts.lastOk, cell: ([, pass]) => moment(pass.last_ok_at) },
        ],
        Object.entries(health.worker),
        words.none,
      )}
    </section>
    <section>
      ${
        backlog === null
          ? nothing
          : table(
              texts.backlog,
              [
                { head: texts.waits, cell: ([name]) => name },
                { head: texts.count, cell: ([, count]) => String(count), isNumber: true },
                {
                  head: texts.oldest,
                  cell: ([, , seconds]) => (seconds === null ? words.none : texts.seconds(seconds)),
                  isNumber: true,
                },
              ],
              [
                [texts.work.charges, backlog.charges, backlog.charges_overdue_seconds],
                [texts.work.deliveries, backlog.deliveries, backlog.deliveries_overdue_seconds],
                [texts.work.wakes, backlog.wakes, null],
              ] as const,
              words.none,
            )
      }
    </section>
  `;
}
