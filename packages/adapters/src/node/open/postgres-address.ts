/** What the store sets itself for each connection. A parameter of the address would take the place of it. */
const SET_BY_THE_STORE = [
  'application_name',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
];

const EXAMPLE = 'postgres://user:password@host:5432/database';

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
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    return `is no address of a Postgres database, which is like ${EXAMPLE}.`;
  for (const name of url.searchParams.keys()) {
    // The redaction of passwords reads the part before the host only, so one in the query would be shown.
    if (/^(user|password)$/i.test(name))
      return `has the parameter ${name.toLowerCase()}: write the user and the password before the host, as in ${EXAMPLE}.`;
    if (SET_BY_THE_STORE.includes(name.toLowerCase()))
      return `has the parameter ${name.toLowerCase()}, which Subrail sets itself: remove it.`;
    if (name.toLowerCase() === 'options')
      return 'has the parameter options, which could change settings that Subrail relies on: remove it.';
  }
  return null;
}
