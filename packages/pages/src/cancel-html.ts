import { escaped, type PageFacts } from './document.js';

const PROGRAM = 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44';

/** The content of the cancel page. What is in the element is shown until its script runs. */
export function cancelHtml({ serviceName, publicUrl, chain }: PageFacts): string {
  const [name, url] = [escaped(serviceName), escaped(publicUrl)];
  const locally =
    chain === 'solana:localnet'
      ? `
          <li>
            On this local chain, a command does what the wallet would:
            <pre><code>subrail local cancel &lt;subscription&gt;</code></pre>
          </li>`
      : '';
  return `      <p class="service">${name}</p>
      <subrail-portal>
        <header>
          <h1>Your subscriptions</h1>
          <p>
            Connect the wallet with which you subscribed. You see what it pays for here, and can cancel, resume or close it.
            Nothing happens without your wallet’s approval.
          </p>
        </header>
      </subrail-portal>
      <noscript>
        <p>
          This page talks to your wallet with JavaScript, which is switched off in this browser. Switch it on and reload the
          page, or cancel in one of the ways below.
        </p>
      </noscript>
      <section class="otherwise" aria-labelledby="otherwise">
        <h2 id="otherwise">Other ways to cancel</h2>
        <ul>
          <li>In the app where you subscribed. It asks your wallet to sign the cancellation.</li>
          <li>
            In your wallet, without any app: revoke the approval of the token that you pay with. No subscription in that token
            can be charged then.
          </li>${locally}
        </ul>
        <details>
          <summary>For developers</summary>
          <p>
            No key is needed. The first call lists what a wallet is subscribed to. The second answers the transaction that
            cancels one of them, for the wallet to sign and send. It calls <code>cancel_subscription</code> of the program
            <code>${PROGRAM}</code>, as any wallet may without this service.
          </p>
          <pre><code>curl -s '${url}/wallet/v1/&lt;wallet&gt;/subscriptions'</code></pre>
          <pre><code>curl -s --json '{"action":"cancel"}' '${url}/wallet/v1/&lt;wallet&gt;/subscriptions/&lt;id&gt;/transaction'</code></pre>
        </details>
      </section>`;
}
