/** The facts on the page, and its place. */
export interface PageFacts {
  readonly serviceName: string;
  /** The address at which clients reach the service. */
  readonly publicUrl: string;
  /** The name of the chain in the Wallet Standard. */
  readonly chain: 'solana:mainnet' | 'solana:devnet' | 'solana:localnet';
}

/** The paths of the script and the style, relative to the page. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

const PROGRAM = 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML shows it, also in an attribute. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** The cancel page. What it shows of a wallet, its script adds. */
export function cancelPageHtml(
  { serviceName, publicUrl, chain }: PageFacts,
  { script, style }: PageFiles,
): string {
  const [name, url] = [escaped(serviceName), escaped(publicUrl)];
  const locally =
    chain === 'solana:localnet'
      ? `
          <li>
            On this local chain, a command does what the wallet would:
            <pre><code>subrail local cancel &lt;subscription&gt;</code></pre>
          </li>`
      : '';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>Your subscriptions · ${name}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${style}" />
    <script type="module" src="${script}"></script>
  </head>
  <body data-chain="${chain}">
    <main>
      <header>
        <p class="service">${name}</p>
        <h1>Your subscriptions</h1>
        <p id="lead">
          Connect the wallet with which you subscribed. You see what it pays for here, and can cancel, resume or close it.
          Nothing happens without your wallet’s approval.
        </p>
      </header>
      <noscript>
        <p>
          This page talks to your wallet with JavaScript, which is switched off in this browser. Switch it on and reload the
          page, or cancel in one of the ways below.
        </p>
      </noscript>
      <section id="connect" aria-label="Wallets">
        <div id="wallets"></div>
      </section>
      <section id="account" aria-labelledby="account-title" hidden>
        <h2 id="account-title" tabindex="-1"><span id="account-wallet"></span> <code id="account-address"></code></h2>
        <div id="account-choice"></div>
        <button id="disconnect" type="button" class="plain">Use another wallet</button>
      </section>
      <p id="status" role="status" aria-live="polite"></p>
      <div id="subscriptions" aria-label="Subscriptions" role="region"></div>
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
      </section>
    </main>
  </body>
</html>
`;
}
