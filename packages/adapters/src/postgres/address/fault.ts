import { postgresServers } from './servers.js';
import { EXAMPLE_ADDRESS, parameterFault, SSL_MODES } from './parameters.js';

/**
 * Says why a text cannot be used as the address of a Postgres database, in words that complete the sentence "SUBRAIL_DATABASE ...". They
 * never have any of the address but the name of a parameter.
 *
 * @returns null for an address that can be used
 * @example
 * postgresAddressFault('postgres://billing@db.example.com/billing?sslmode=verify-full'); // null
 * postgresAddressFault('postgres://db.example.com/billing?password=secret'); // 'has the parameter password: ...'
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
  // Else a part of a password with a ? in it would be taken for the name of a parameter, and shown.
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

/** Says why a text cannot be an `sslmode`, in words that complete the sentence "PGSSLMODE ..."; null for one that can be. */
export function sslModeFault(mode: string): string | null {
  return SSL_MODES.includes(mode)
    ? null
    : `has a value that does not exist. Those that do are: ${SSL_MODES.join(', ')}.`;
}
