import { Unavailable } from '@subrail/core/ports';
import { postgresServers } from './address/servers.js';
import { sqlState } from '../kysely/engines/error-codes.js';
import { isNetworkError } from './unavailable.js';

/**
 * Thrown when a Postgres database cannot be opened until a person does something: refused, older than version
 * 15, or not UTF8. The message says what, without the password.
 */
export class PostgresRefusal extends Error {
  override readonly name = 'PostgresRefusal';
}

/** Refusals by the state of the answer. */
const SENTENCES: Readonly<Record<string, (place: Place, answer: string) => string>> = {
  '28P01': ({ user, server }) =>
    `The Postgres server at ${server} refuses the password of the user ${user}. Check the address of the database.`,
  '28000': ({ user, server }, answer) =>
    /no encryption|SSL connection is required/i.test(answer)
      ? `The Postgres server at ${server} lets nobody in without encryption. Add sslmode=verify-full to the address of the database.`
      : `The Postgres server at ${server} does not let the user ${user} in. Its pg_hba.conf says who may connect from where, and whether with TLS.`,
  '3D000': ({ user, database, server }) =>
    `The Postgres server at ${server} has no database ${database}. Create it: createdb --owner=${user} --encoding=UTF8 --template=template0 ${database}`,
  '42501': ({ user, database }) =>
    `The user ${user} may not create tables in the database ${database}. Make it the owner of the database or of its schema.`,
};

/** The codes of Node for an unknown authority. */
const UNKNOWN_AUTHORITY = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/;
const SAVE_AUTHORITY =
  'Save the certificate of its authority, which managed databases offer for download, and add sslrootcert= with the path of that file to the address of the database.';

interface Place {
  readonly user: string;
  readonly server: string;
  readonly database: string;
}

/**
 * Makes a PostgresRefusal of an error of opening, or `Unavailable` when no server can be reached, which may
 * pass; returns another error unchanged.
 */
export function asRefusal(error: unknown, url: string): unknown {
  const place = placeOf(url);
  for (const cause of chainOf(error)) {
    const state = sqlState(cause);
    const sentence = SENTENCES[state ?? '']?.(place, String(cause));
    if (sentence !== undefined) return new PostgresRefusal(sentence, { cause: error });
    // An error with a state is an answer of the server.
    if (!(cause instanceof Error) || state !== null) continue;
    if (isAway(cause))
      return new Unavailable(
        `No Postgres server can be reached at ${place.server}. Check that it runs, and the address of the database.`,
        { cause: error },
      );
    const refusal = refusalOf(cause, place);
    if (refusal !== null) return new PostgresRefusal(refusal, { cause: error });
  }
  return error;
}

/** An error and its causes, the last cause first. `Unavailable` repeats the words of its cause. */
function chainOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error) || error.cause === undefined) return [error];
  return error instanceof Unavailable ? chainOf(error.cause) : [...chainOf(error.cause), error];
}

/** Whether no server answered. An error of reading a file is none of the network. */
function isAway(error: Error): boolean {
  return isNetworkError(error) || (!isOfFile(error) && /timeout|terminated/i.test(error.message));
}

const isOfFile = (error: Error) => 'syscall' in error && error.syscall === 'open';

/** The sentence for an error that no server gave a state; null for another one. */
function refusalOf(error: Error, { server }: Place): string | null {
  if (isOfFile(error))
    return `A file that the address of the database names, such as sslrootcert, cannot be read: ${error.message}.`;
  const code = 'code' in error ? String(error.code) : '';
  if (!/ssl|tls|certificate|SASL|password/i.test(`${code} ${error.message}`)) return null;
  const advice = UNKNOWN_AUTHORITY.test(code)
    ? SAVE_AUTHORITY
    : 'Check sslmode and the password in the address of the database.';
  return `The connection to the Postgres server at ${server} was refused: ${error.message}. ${advice}`;
}

/** The place of an address, without its password. */
function placeOf(url: string): Place {
  try {
    return partsOf(url);
  } catch {
    // The error would show the address.
    return { user: 'of the address', server: 'the address', database: 'of the address' };
  }
}

function partsOf(address: string): Place {
  const [first, ...others] = postgresServers(address);
  const { username, pathname } = new URL(first);
  return {
    user: username === '' ? 'of this process' : decodeURIComponent(username),
    server: [first, ...others].map((server) => serverName(new URL(server))).join(' or '),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

function serverName({ hostname, port, searchParams }: URL): string {
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname;
  return port === '' ? host : `${host}:${port}`;
}
