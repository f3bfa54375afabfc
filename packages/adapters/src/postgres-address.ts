/** What the store sets itself for each connection. A parameter of the address would take the place of it. */
const SET_BY_THE_STORE = [
  'application_name',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
];

/** The values of `sslmode`. The driver ignores any other, such as one that is misspelt. */
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/** The parameters that an address may have, each with its values; null for any text. The driver ignores those that it does not know. */
const PARAMETERS: Readonly<Record<string, readonly string[] | null>> = {
  host: null,
  port: null,
  sslmode: SSL_MODES,
  sslrootcert: null,
  sslcert: null,
  sslkey: null,
  sslnegotiation: ['postgres', 'direct'],
};

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
  if (url.href.includes('#')) return 'has a #, after which nothing is read: write it as %23.';
  if (/%(?![\da-f]{2})/i.test(url.href)) return 'has a % that begins no escape: write it as %25.';
  // Else a part of a password with a ? in it would be taken for the name of a parameter, and shown.
  if (url.search.includes('@'))
    return 'has an @ after a ?: write a ? in the password as %3F, and an @ in a parameter as %40.';
  return parameterFault(url);
}

function parameterFault({ hostname, searchParams }: URL): string | null {
  for (const [name, value] of searchParams) {
    const lower = name.toLowerCase();
    // The redaction of passwords reads the part before the host only, so one in the query would be shown.
    if (/^(user|password)$/.test(lower))
      return `has the parameter ${lower}: write the user and the password before the host, as in ${EXAMPLE}.`;
    if (SET_BY_THE_STORE.includes(lower))
      return `has the parameter ${lower}, which Subrail sets itself: remove it.`;
    if (lower === 'options')
      return 'has the parameter options, which could change settings that Subrail relies on: remove it.';
    const values = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (values === undefined) {
      const unknown = /^\w{1,40}$/.test(name) ? `the parameter ${name}, which` : 'a parameter that';
      return `has ${unknown} does not exist. Those that do are: ${Object.keys(PARAMETERS).join(', ')}.`;
    }
    if (searchParams.getAll(name).length > 1) return `has the parameter ${name} more than once.`;
    if (values !== null && !values.includes(value))
      return `has a value of ${name} that does not exist. Those that do are: ${values.join(', ')}.`;
    if (value === '') return `has the parameter ${name} without a value.`;
    if (name === 'host' && hostname !== '')
      return 'has the parameter host, and another host before it: remove one.';
  }
  return null;
}

/** Says why a text cannot be an `sslmode`, in words that complete the sentence "PGSSLMODE ..."; null for one that can be. */
export function sslModeFault(mode: string): string | null {
  return SSL_MODES.includes(mode)
    ? null
    : `has a value that does not exist. Those that do are: ${SSL_MODES.join(', ')}.`;
}
