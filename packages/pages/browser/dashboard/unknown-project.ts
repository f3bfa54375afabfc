import type { ProjectWire } from '@subrail/core/schemas';
import { html } from 'lit';
import type { Shown } from './context.js';
import { FIRST_PAGE } from './pages.js';
import { hashOf } from './place.js';
import { words } from './words.js';

/** What an address shows whose project does not exist: the ways to those that do. */
export const unknownProject = (asked: string, projects: readonly ProjectWire[]): Shown => ({
  title: words.noProject,
  view: () => html`
    <p>${words.noProjectNamed(asked)}</p>
    <ul class="plain">
      ${projects.map(({ id, name }) => html`<li><a href=${hashOf(id, FIRST_PAGE)}>${name}</a></li>`)}
    </ul>
  `,
});
