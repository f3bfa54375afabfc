import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { words } from './words.js';

/** The colour scheme in which a mail is shown. */
export type Look = 'light' | 'dark';

/**
 * Shows the HTML of a mail in a frame that runs no scripts. The policy of the page, which is the frame's too,
 * takes no style from markup and loads no picture from elsewhere. So the markup comes without these and
 * without links, and the frame gets the styles as objects, which is allowed: those of the scheme that is
 * looked at, whichever the reader's is.
 */
export function mailFrame(mail: string, look: Look): TemplateResult {
  const source = mail.replaceAll(/<!--.*?-->/gs, '');
  const css = [...source.matchAll(STYLE)].map(([, one = '']) => one).join('\n');
  const bare = source.replaceAll(STYLE, '').replaceAll(/\s(style|href|src)="/g, ' data-$1="');
  const dress = ({ target }: Event) => {
    const frame = target as HTMLIFrameElement;
    const { contentDocument: page, contentWindow: view } = frame;
    if (page === null || view === null) return;
    const sheet = new (view as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(inLook(css, look));
    page.adoptedStyleSheets = [sheet];
    for (const one of page.querySelectorAll<HTMLElement>('[data-style]'))
      one.style.cssText = one.dataset['style'] ?? '';
    // A page is at least as high as its frame.
    frame.style.height = '0';
    frame.style.height = `${page.documentElement.scrollHeight + 2}px`;
  };
  return html`${keyed(
    look,
    html`<iframe
      class="mail"
      title=${words.mail.frame}
      sandbox="allow-same-origin"
      .srcdoc=${bare}
      @load=${dress}
    ></iframe>`,
  )}`;
}

const STYLE = /<style[^>]*>(.*?)<\/style>/gs;

/** The styles as a reader of this colour scheme has them. */
function inLook(css: string, look: Look): string {
  return css
    .replaceAll('(prefers-color-scheme: dark)', look === 'dark' ? 'all' : 'not all')
    .replaceAll('color-scheme: light dark', `color-scheme: ${look}`);
}
