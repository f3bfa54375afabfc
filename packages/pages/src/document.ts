/** The facts on every page. */
export interface PageFacts {
  readonly serviceName: string;
  /** The address at which clients reach the service. */
  readonly publicUrl: string;
  /** The name of the chain in the Wallet Standard. */
  readonly chain: 'solana:mainnet' | 'solana:devnet' | 'solana:localnet';
}

/** A page, and the files that it loads. */
export interface PageDocument extends PageFacts {
  /** Such as `en`. */
  readonly language: string;
  /** The title, before the name of the service. */
  readonly title: string;
  /** The address of the service, relative to the page: `.` or `..`. */
  readonly service: string;
  /** The addresses of its scripts and its style, relative to the page. */
  readonly scripts: readonly string[];
  readonly style: string;
  /** The HTML inside of `body`. */
  readonly content: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML shows it, also in an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** The name of the service, as the elements show whom a customer pays. */
export function brandHtml(name: string): string {
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
  return `<p class="brand"><span class="avatar" aria-hidden="true">${initial.toLocaleUpperCase()}</span> ${escaped(name)}</p>`;
}

/** A whole page. What it shows of a customer, its scripts add. */
export function pageDocument({
  serviceName,
  chain,
  language,
  title,
  service,
  scripts,
  style,
  content,
}: PageDocument): string {
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)} · ${escaped(serviceName)}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${style}" />
${scripts.map((script) => `    <script type="module" src="${script}"></script>`).join('\n')}
  </head>
  <body data-chain="${chain}" data-service="${service}">
${content}
  </body>
</html>
`;
}
