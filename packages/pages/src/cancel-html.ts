import { brandHtml, escaped, type PageFacts } from './document.js';
import type { PageTexts } from './texts.js';

/** The content of the cancel page. The head in the element is shown until its script runs. */
export function cancelHtml({ serviceName, publicUrl, chain }: PageFacts, texts: PageTexts): string {
  const url = escaped(publicUrl);
  const locally =
    chain === 'solana:localnet'
      ? `
            <li>
              ${texts.locally}
              <pre><code>subrail local cancel &lt;subscription&gt;</code></pre>
            </li>`
      : '';
  return `      <subrail-portal brand="${escaped(serviceName)}">
        <header>
          ${brandHtml(serviceName)}
          <h1>${texts.portal}</h1>
          <p>${texts.lead}</p>
        </header>
        <noscript><p>${texts.noScriptOnCancel}</p></noscript>
        <section slot="below" class="otherwise" aria-labelledby="otherwise">
          <h2 id="otherwise">${texts.otherWays}</h2>
          <ul>
            <li>${texts.inTheApp}</li>
            <li>${texts.inTheWallet}</li>${locally}
          </ul>
          <details>
            <summary>${texts.forDevelopers}</summary>
            <p>${texts.calls}</p>
            <pre><code>curl -s '${url}/wallet/v1/&lt;wallet&gt;/subscriptions'</code></pre>
            <pre><code>curl -s --json '{"action":"cancel"}' '${url}/wallet/v1/&lt;wallet&gt;/subscriptions/&lt;id&gt;/transaction'</code></pre>
          </details>
        </section>
      </subrail-portal>`;
}
