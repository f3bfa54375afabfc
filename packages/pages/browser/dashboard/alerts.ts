import { html, nothing, type TemplateResult } from 'lit';
import type { Health } from './api.js';
import type { Context } from './context.js';
import { moment } from './pieces.js';
import { hashOf } from './place.js';
import { words } from './words.js';

/** The alerts that last, each in the sentences of `/health`, which say what to do. */
export const alertsView = (
  { alerts }: Health,
  { project, place }: Context,
): TemplateResult | typeof nothing =>
  alerts.length === 0
    ? nothing
    : html`<section aria-label=${words.health.alerts}>
        ${alerts.map(
          ({ kind, severity, since, count, what }) =>
            html`<div class="notice ${severity === 'error' ? 'bad' : 'warn'}">
              <p>${what} ${wayTo(kind, project.id, place.page)}</p>
              <p class="under">${words.health.since} ${moment(since)}${words.health.times(count)}</p>
            </div>`,
        )}
      </section>`;

/** The way to the page where an alert is mended, from another one. */
function wayTo(kind: string, project: string, page: string): TemplateResult | typeof nothing {
  const to = kind.startsWith('endpoint_') ? 'webhooks' : 'health';
  return to === page ? nothing : html`<a href=${hashOf(project, to)}>${words.health.ways[to]}</a>`;
}
