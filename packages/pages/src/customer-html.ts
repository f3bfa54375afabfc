import { brandHtml, escaped, type PageFacts } from './document.js';
import type { PageTexts } from './texts.js';

/** The content of a page whose element fills it, with what it says without JavaScript. */
export function customerHtml(
  name: 'checkout' | 'portal',
  { serviceName }: PageFacts,
  texts: PageTexts,
): string {
  return `      <subrail-${name} brand="${escaped(serviceName)}"></subrail-${name}>
      <noscript>
        <header>
          ${brandHtml(serviceName)}
          <h1>${texts[name]}</h1>
          <p>${texts.noScript}</p>
        </header>
      </noscript>`;
}
