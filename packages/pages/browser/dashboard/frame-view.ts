import type { ProjectWire } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { Session } from './api.js';
import type { Shown } from './context.js';
import { NAVIGATION, PAGES } from './pages.js';
import { hashOf, type Place } from './place.js';
import { breakable, zone } from './pieces.js';
import { words } from './words.js';

/** Everything that is shown to whoever is logged in. */
export interface Frame {
  readonly session: Session;
  readonly projects: readonly ProjectWire[];
  readonly place: Place;
  readonly shown: Shown | null;
  readonly failure: string | null;
  readonly notice: { readonly isGood: boolean; readonly sentence: string } | null;
  /** What is being read; null when nothing is. */
  readonly reading: string | null;
  readonly isWorking: boolean;
}

/** The frame of every page: the project, the pages, and who is logged in. */
export function frameView(
  frame: Frame,
  { leave, again }: { readonly leave: () => void; readonly again: () => void },
): TemplateResult {
  const { session, projects, place, shown, failure, notice, reading, isWorking } = frame;
  const isKnown = projects.some(({ id }) => id === place.project);
  const switchTo = (event: Event) => {
    location.hash = hashOf((event.target as HTMLSelectElement).value, PAGES[place.page]?.nav ?? '');
  };
  const skip = (event: Event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>('h1')?.focus();
  };
  return html`
    <a class="skip" href="#content" @click=${skip}>${words.skip}</a>
    <header class="top">
      <div class="bar">
        ${
          projects.length === 0
            ? nothing
            : html`<label class="switch"
                ><span>${words.project}</span>
                <select @change=${switchTo} .value=${isKnown ? place.project : ''}>
                  ${isKnown ? nothing : html`<option value="" disabled selected>${words.chooseProject}</option>`}
                  ${projects.map(
                    ({ id, name }) =>
                      html`<option value=${id} ?selected=${id === place.project}>${name}</option>`,
                  )}
                </select></label
              >`
        }
        <p class="who">
          <span>${words.loggedInAs(session.name)}</span>
          ${session.access === 'read' ? html`<span class="badge quiet">${words.readOnly}</span>` : nothing}
          <button class="small" @click=${leave}>${words.logOut}</button>
        </p>
      </div>
      ${
        !isKnown
          ? nothing
          : html`<nav class="pages-nav" aria-label=${words.name}>
              ${NAVIGATION.map(
                (name) =>
                  html`<a
                    href=${hashOf(place.project ?? '', name)}
                    aria-current=${PAGES[place.page]?.nav === name ? 'page' : nothing}
                    >${words.pages[name]}</a
                  >`,
              )}
            </nav>`
      }
    </header>
    <main id="content" aria-busy=${reading === null ? 'false' : 'true'}>
      <div class="heading">
        <h1 tabindex="-1">
          ${breakable(shown?.title ?? words.pages[PAGES[place.page]?.nav ?? 'customers'])}
        </h1>
        <p class="hint">${words.zone(zone)}</p>
      </div>
      <div role="status" class="status">
        ${notice?.isGood === true ? html`<p class="notice good">${notice.sentence}</p>` : nothing}
        ${isWorking ? html`<p>${words.working}</p>` : nothing}
        ${reading !== null && shown === null ? html`<p>${reading}</p>` : nothing}
      </div>
      <div role="alert">
        ${notice?.isGood === false ? html`<p class="notice bad">${notice.sentence}</p>` : nothing}
        ${
          failure === null
            ? nothing
            : html`<div class="notice bad">
                <p>${words.failed} ${failure}</p>
                <p><button @click=${again}>${words.again}</button></p>
              </div>`
        }
      </div>
      ${
        projects.length === 0
          ? html`<p>${words.noProjects}</p>
              <pre tabindex="0">subrail project create --name "My shop"</pre>`
          : (shown?.view() ?? nothing)
      }
    </main>
  `;
}
