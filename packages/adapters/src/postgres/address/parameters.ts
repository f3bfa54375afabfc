import { postgresServers } from './servers.js';

interface Parameter {
  /** The valid values. Absent: any but none. */
  readonly values?: readonly string[] | RegExp;
  /** Why it has no effect here. Absent: it has. */
  readonly ignored?: string;
}

/** The values of `sslmode`. The driver ignores any other, such as a misspelt one. */
export const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

const WHOLE = /^\d{1,9}$/;
const KEEPS_ALIVE = {
  values: WHOLE,
  ignored: 'a connection that is silent for ten seconds is asked whether it still leads anywhere',
};
const POOL = {
  ignored: 'the host has the setting database_connections, and openBilling the option poolSize',
};
const HINT = { ignored: 'it tells other clients what this one finds out by itself' };

/**
 * The parameters that `libpq` and other clients of managed databases know. The driver would ignore an unknown
 * one, or send it to the server.
 */
const PARAMETERS: Readonly<Record<string, Parameter>> = {
  host: {},
  port: {},
  sslmode: { values: SSL_MODES },
  sslrootcert: {},
  sslcert: {},
  sslkey: {},
  sslnegotiation: { values: ['postgres', 'direct'] },
  connect_timeout: { values: WHOLE },
  // For Prisma: statements cannot be prepared.
  pgbouncer: { values: ['true', 'false'] },
  statement_cache_size: { values: WHOLE },
  // The database, for a server of many.
  options: { values: /^(endpoint|project|reference)=[\w-]+$/ },
  channel_binding: {
    values: ['disable', 'prefer', 'require'],
    ignored: 'the certificate of the server says already that nobody stands between',
  },
  target_session_attrs: {
    values: ['any', 'read-write', 'primary'],
    ignored: 'a server that only reads is noticed when something is written, and left',
  },
  load_balance_hosts: { values: ['disable', 'random'], ignored: 'the address has one host' },
  application_name: { ignored: 'the connections of Subrail are named subrail' },
  fallback_application_name: { ignored: 'the connections of Subrail are named subrail' },
  keepalives: KEEPS_ALIVE,
  keepalives_idle: KEEPS_ALIVE,
  keepalives_interval: KEEPS_ALIVE,
  keepalives_count: KEEPS_ALIVE,
  tcp_user_timeout: KEEPS_ALIVE,
  gssencmode: { values: ['disable', 'prefer'], ignored: 'connections are encrypted by TLS only' },
  client_encoding: { values: /^(utf-?8|auto)$/i, ignored: 'connections always have UTF8' },
  sslcompression: { values: ['0', '1'], ignored: 'nothing is compressed' },
  sslsni: { values: ['1'], ignored: 'the name of the server is always sent' },
  schema: { values: ['public'], ignored: 'the search path of the user says where the tables are' },
  connection_limit: POOL,
  pool_timeout: POOL,
  pool_size: POOL,
  max_connection_lifetime: POOL,
  max_idle_connection_lifetime: POOL,
  socket_timeout: { values: WHOLE, ignored: 'each statement has a time limit already' },
  pool_mode: HINT,
  supa: HINT,
  workaround: HINT,
};

/** The parameters of the driver. Others are removed from the address that it gets. */
const OF_THE_DRIVER = /^(host|port|ssl(mode|rootcert|cert|key|negotiation)|options)$/;

/** Set by the store for each connection; a parameter would replace it. */
const SET_BY_THE_STORE = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
];

export const EXAMPLE_ADDRESS = 'postgres://user:password@host:5432/database';

/** Says why parameters of an address cannot be used, in words that complete "SUBRAIL_DATABASE ...". */
export function parameterFault({ hostname, searchParams }: URL): string | null {
  for (const [name, value] of searchParams) {
    const lower = name.toLowerCase();
    // The redaction of passwords reads only the part before the host.
    if (/^(user|password)$/.test(lower))
      return `has the parameter ${lower}: write the user and the password before the host, as in ${EXAMPLE_ADDRESS}.`;
    if (SET_BY_THE_STORE.includes(lower))
      return `has the parameter ${lower}, which Subrail sets itself: remove it.`;
    const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (parameter === undefined) {
      const unknown = /^\w{1,40}$/.test(name) ? `the parameter ${name}, which` : 'a parameter that';
      const known = Object.keys(PARAMETERS).filter((each) => PARAMETERS[each]?.ignored === undefined);
      return `has ${unknown} does not exist. Those that do are: ${known.join(', ')}.`;
    }
    if (searchParams.getAll(name).length > 1) return `has the parameter ${name} more than once.`;
    const { values } = parameter;
    if (name === 'options' && !isAllowed(value, values))
      return 'has the parameter options, which could change settings that Subrail relies on: remove it.';
    if (Array.isArray(values) && !values.includes(value))
      return `has a value of ${name} that does not exist. Those that do are: ${values.join(', ')}.`;
    if (value === '') return `has the parameter ${name} without a value.`;
    if (!isAllowed(value, values)) return `has a value of ${name} that cannot be used here: remove it.`;
    if (name === 'host' && hostname !== '')
      return 'has the parameter host, and another host before it: remove one.';
  }
  const checked = /^(require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');
  return searchParams.get('channel_binding') === 'require' && !checked
    ? 'has channel_binding=require, and no sslmode with which the certificate of the server is checked: add sslmode=verify-full.'
    : null;
}

function isAllowed(value: string, values: Parameter['values']): boolean {
  return values === undefined || (values instanceof RegExp ? values.test(value) : values.includes(value));
}

/** The options that an address gives by its parameters. */
export function optionsOfAddress(address: string): {
  readonly connectMs?: number;
  readonly preparedStatements?: boolean;
} {
  const { searchParams } = firstOf(address);
  const seconds = Number(searchParams.get('connect_timeout'));
  const cannotPrepare =
    searchParams.get('pgbouncer') === 'true' || Number(searchParams.get('statement_cache_size') ?? 1) === 0;
  return {
    ...(seconds > 0 && { connectMs: seconds * 1_000 }),
    ...(cannotPrepare && { preparedStatements: false }),
  };
}

/** A sentence for each parameter without effect. */
export function ignoredParameters(address: string): readonly string[] {
  return [...firstOf(address).searchParams.keys()].flatMap((name) => {
    const why = PARAMETERS[name]?.ignored;
    return why === undefined
      ? []
      : [`The parameter ${name} of the address of the database is ignored: ${why}.`];
  });
}

/** All servers of an address have the same parameters. */
function firstOf(address: string): URL {
  return new URL(postgresServers(address)[0]);
}

/** An address with the parameters of the driver. */
export function driverAddress(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()])
    if (!OF_THE_DRIVER.test(name)) url.searchParams.delete(name);
  return url.href;
}
