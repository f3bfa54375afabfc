import { postgresServers } from './servers.js';
import { EXAMPLE_ADDRESS, parameterFault, SSL_MODES } from './parameters.js';

/**
 * Says why a text is no address of a Postgres database, in words that complete "SUBRAIL_DATABASE ...". Of the
 * address they show at most the name of a parameter.
 *
 * @returns null for an address that can be used
 * @example
 * postgresAddressFault('postgres://billing@db.example.com/billing?sslmode=verify-full'); // null
 * postgresAddressFault('postgres://db.example.com/billing?password=x'); // 'has the parameter password: ...'
 */
export function postgresAddressFault(text: unknown): string | null {
  const servers = typeof text === 'string' ? postgresServers(text) : [];
  if (servers.length > 1) {
    const faults = servers.map((server) =>
      /:\/\/([^/?#]*@)?\//.test(server)
        ? `has a comma before or after which no host is.`
        : postgresAddressFault(server),
    );
    return faults.find((fault) => fault !== null) ?? null;
  }
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    return `is no address of a Postgres database, which is like ${EXAMPLE_ADDRESS}.`;
  if (url.href.includes('#')) return 'has a #, after which nothing is read: write it as %23.';
  if (!decodes(url.href)) return 'has a % that begins no escape: write it as %25.';
  // Else the part of a password behind a ? would be shown as the name of a parameter.
  if (url.search.includes('@'))
    return 'has an @ after a ?: write a ? in the password as %3F, and an @ in a parameter as %40.';
  return parameterFault(url);
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Says why a text is no `sslmode`, in words that complete "PGSSLMODE ..."; null for a valid one. */
export function sslModeFault(mode: string): string | null {
  return SSL_MODES.includes(mode)
    ? null
    : `has a value that does not exist. Those that do are: ${SSL_MODES.join(', ')}.`;
}
