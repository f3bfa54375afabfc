import { createPrivateKey } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import type { SMTPPoolOptions } from 'nodemailer';

/** A mail server, and how mails are handed to it. */
export interface SmtpOptions {
  /**
   * The address: `smtps://user:password@mail.example.com:465`, which is encrypted from the start, or
   * `smtp://user:password@mail.example.com:587`, which turns to TLS before the log-in (STARTTLS). Write
   * an `@` of the user or the password as `%40`, a `/` as `%2F`, a `:` as `%3A`.
   */
  readonly url: string;
  /**
   * Whether nothing is sent without TLS and a valid certificate. When false, `smtp://` is encrypted if the
   * server can, with whatever certificate. Default: true, unless the server is on this machine.
   */
  readonly requireTls?: boolean;
  /** TLS settings that an address cannot have, such as `ca` for an authority of your own. Default: none. */
  readonly tls?: ConnectionOptions;
  /** The key that signs each mail. Default: none, because most mail services sign by themselves. */
  readonly dkim?: DkimKey;
  /** The most connections, which stay open between mails for a while. Default: 5. */
  readonly poolSize?: number;
  /**
   * The longest try, in milliseconds, with the wait for a free connection. At most 60,000. Default: 30,000.
   */
  readonly timeoutMs?: number;
}

/** A key of DKIM, whose other half is in the DNS, at `selector._domainkey.domain`. */
interface DkimKey {
  readonly domain: string;
  readonly selector: string;
  /** A private RSA key in PEM, of 1,024 bits or more and without a passphrase. */
  readonly privateKey: string;
}

const OPTIONS: Readonly<Record<keyof SmtpOptions, true>> = {
  ...{ url: true, requireTls: true, tls: true, dkim: true, poolSize: true, timeoutMs: true },
};

/** A minute is the most that a try may take. */
const LONGEST_TRY_MS = 60_000;

const ON_THIS_MACHINE = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/i;

/** A server as operators know it, and what no sentence about it may show. */
export interface MailServer {
  /** Its host and port. */
  readonly name: string;
  /** Whether it is encrypted from the start. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly pass: string } | null;
}

/**
 * The settings of a pool of connections to a server.
 *
 * @throws TypeError that says what of the options cannot be used
 */
export function settingsOf(options: SmtpOptions): {
  readonly server: MailServer;
  readonly timeoutMs: number;
  readonly pool: SMTPPoolOptions & { readonly pool: true };
} {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw new TypeError(
      `A mailer has no option "${unknown}". Its options are: ${Object.keys(OPTIONS).join(', ')}.`,
    );
  const { tls, dkim, poolSize = 5, timeoutMs = 30_000 } = options;
  const parts = partsOf(options.url);
  if (typeof parts === 'string') throw new TypeError(`The address of the mail server ${parts}`);
  const { secure, host, port, credentials } = parts;
  const { requireTls = !ON_THIS_MACHINE.test(host) } = options;
  requireWhole('poolSize', poolSize, 1_000);
  requireWhole('timeoutMs', timeoutMs, LONGEST_TRY_MS);
  const optional = !secure && !requireTls;
  return {
    server: { name: `${host}:${port}`, secure, credentials },
    timeoutMs,
    pool: {
      pool: true,
      maxConnections: poolSize,
      // For a mail of which nothing was sent yet, because the server had just closed an idle connection.
      maxRequeues: 1,
      // Before the end of a try, which says less.
      greetingTimeout: Math.ceil(timeoutMs / 2),
      // Well below the time after which servers close them.
      idleTimeout: 15_000,
      ...{ host, port, secure, requireTLS: !optional, opportunisticTLS: optional },
      // Whoever can change what is sent can also take STARTTLS out: a certificate adds nothing then.
      tls: { ...(optional && { rejectUnauthorized: false }), ...tls },
      ...(credentials !== null && { auth: credentials }),
      ...(dkim !== undefined && { dkim: signingKey(dkim) }),
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  };
}

function requireWhole(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new TypeError(`The option "${name}" of a mailer must be a whole number from 1 to ${most}.`);
}

/**
 * Why a text is no address of a mail server, as the end of a sentence that begins with its name; null for an
 * address. Nothing of the text is in it, because that may be a password.
 *
 * @example
 * smtpAddressFault('smtp://user@mail.example'); // 'has only one of user and password.'
 */
export function smtpAddressFault(text: string): string | null {
  const parts = partsOf(text);
  return typeof parts === 'string' ? parts : null;
}

/** The parts of the address of a server, or what is wrong with it. */
function partsOf(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    return 'is not like smtps://user:password@mail.example.com:465. Write an @ of the user or the password as %40, a / as %2F, a : as %3A, a ? as %3F, a # as %23.';
  if (/[?#]|[^/]\/./.test(url.href.slice(`${url.protocol}//`.length)))
    return 'goes on after its port. Write a / of the user or the password as %2F, a ? as %3F, a # as %23.';
  if ((url.username === '') !== (url.password === '')) return 'has only one of user and password.';
  const user = decoded(url.username);
  const pass = decoded(url.password);
  if (user === null || pass === null) return 'has a % that begins no escape: write it as %25.';
  const secure = url.protocol === 'smtps:';
  return {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    credentials: user === '' ? null : { user, pass },
  };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function signingKey({ domain, selector, privateKey }: DkimKey) {
  if (!isDnsName(domain) || !isDnsName(selector) || !isDkimKey(privateKey))
    throw new TypeError(
      'The option "dkim" of a mailer must have a domain, a selector and a private RSA key of 1,024 bits or more in PEM as "privateKey".',
    );
  return { domainName: domain, keySelector: selector, privateKey };
}

const isDnsName = (name: string) => /^[a-z\d_-]+(\.[a-z\d_-]+)*$/i.test(name);

/** The shortest key whose signatures count (RFC 8301). */
const LEAST_BITS = 1_024;

/** Whether a text can sign mails by DKIM: a private RSA key in PEM, without a passphrase. */
export function isDkimKey(pem: string): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0 } = {} } =
      createPrivateKey(pem);
    return type === 'rsa' && modulusLength >= LEAST_BITS;
  } catch {
    return false;
  }
}
