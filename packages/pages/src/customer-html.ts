/** The content of a page whose element fills it, with what it says without JavaScript. */
export function customerHtml(element: 'subrail-checkout' | 'subrail-portal', purpose: string): string {
  return `      <${element}></${element}>
      <noscript>
        <p>
          This page talks to your wallet with JavaScript, which is switched off in this browser. Switch it on and reload the
          page to ${purpose}.
        </p>
      </noscript>`;
}
