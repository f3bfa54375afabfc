import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { sslModeFault } from './address/fault.js';
import { asRefusal, PostgresRefusal } from './refused.js';

/** Parameters that name files, each with the TLS setting of its content. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/**
 * Where a connection leads, and how it is encrypted: by `tls`, else the address, else `PGSSLMODE`. With `tls`
 * it is encrypted, and the certificate checked unless `tls` says not to, whatever the address says.
 *
 * @throws PostgresRefusal when a file of the address is unreadable, or `PGSSLMODE` has an unknown value
 */
export function encryptionOf(
  url: string,
  tls: ConnectionOptions | undefined,
): Pick<ClientConfig, 'connectionString' | 'ssl' | 'sslnegotiation'> {
  const address = new URL(url);
  const { searchParams } = address;
  const mode = tls === undefined ? (searchParams.get('sslmode') ?? modeOfEnvironment(searchParams)) : null;
  if (tls === undefined && (mode === 'disable' || !namesFiles(searchParams))) {
    for (const name of Object.keys(FILES)) searchParams.delete(name);
    // The driver checks the certificate in each of these modes, and announces that a release will not.
    if (mode !== null) searchParams.set('sslmode', /^(require|verify-ca)$/.test(mode) ? 'verify-full' : mode);
    return { connectionString: address.href };
  }
  const ofMode = mode === 'no-verify' ? { rejectUnauthorized: false } : {};
  const given = Object.entries(tls ?? ofMode).filter(([, value]) => value !== undefined);
  const ssl = withFiles(Object.fromEntries(given), searchParams, url);
  const direct = searchParams.get('sslnegotiation') === 'direct';
  // TLS parameters of the address would replace `ssl`.
  for (const name of ['sslmode', 'sslnegotiation', ...Object.keys(FILES)]) searchParams.delete(name);
  return { connectionString: address.href, ssl, ...(direct && { sslnegotiation: 'direct' }) };
}

function namesFiles(parameters: URLSearchParams): boolean {
  return Object.keys(FILES).some((name) => parameters.has(name));
}

/**
 * The mode of the environment. Null without one, or when the address names files, with which certificates are
 * checked.
 */
function modeOfEnvironment(parameters: URLSearchParams): string | null {
  const mode = process.env.PGSSLMODE ?? '';
  if (mode === '' || namesFiles(parameters)) return null;
  const fault = sslModeFault(mode);
  if (fault !== null) throw new PostgresRefusal(`The environment variable PGSSLMODE ${fault}`);
  return mode;
}

/**
 * Adds the files of an address to TLS settings that lack them. Each is read again for each connection, so
 * that a renewed certificate counts; while it is unreadable or incomplete, as during a renewal, the last
 * content counts.
 */
function withFiles(settings: ConnectionOptions, parameters: URLSearchParams, url: string): ConnectionOptions {
  for (const [name, setting] of Object.entries(FILES)) {
    const path = parameters.get(name);
    if (path === null || setting in settings) continue;
    let content = readAtFirst(path, url);
    const get = () => {
      try {
        const read = readFileSync(path, 'utf8');
        if (read.includes('-----END ')) content = read;
      } catch {
        // An error would end the process: the driver reads this within events of its sockets.
      }
      return content;
    };
    Object.defineProperty(settings, setting, { get, enumerable: true, configurable: true });
  }
  return settings;
}

function readAtFirst(path: string, url: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw asRefusal(error, url);
  }
}
