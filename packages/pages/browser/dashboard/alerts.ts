import { html, nothing, type TemplateResult } from 'lit';
import type { Health } from './api.js';
import { moment } from './pieces.js';
import { words } from './words.js';

/** The alerts that last, each in the sentences of `/health`, which say what to do. */
export const alertsView = ({ alerts }: Health): TemplateResult | typeof nothing =>
  alerts.length === 0
    ? nothing
    : html`<section aria-label=${words.health.alerts}>
        ${alerts.map(
          ({ severity, since, count, what }) =>
            html`<div class="notice ${severity === 'error' ? 'bad' : 'warn'}">
              <p>${what}</p>
              <p class="under">${words.health.since} ${moment(since)}${words.health.times(count)}</p>
            </div>`,
        )}
      </section>`;
