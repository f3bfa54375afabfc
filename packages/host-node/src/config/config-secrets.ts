import { postgresServers } from '@subrail/adapters/node';
import type { Config } from './read-config.js';

/** Every text of a configuration that must never be written to a log. */
export function configSecrets({
  database,
  chain,
  chargerKey,
  sealingKey,
  olderSealingKeys,
  priceSource,
  alertsUrl,
  mail,
}: Config): readonly string[] {
  const sealingKeys = [...(sealingKey === null ? [] : [sealingKey]), ...olderSealingKeys];
  return [
    ...(chargerKey === null ? [] : [chargerKey]),
    ...sealingKeys
      .map((key) => Buffer.from(key))
      .flatMap((key) => [key.toString('hex'), key.toString('base64')]),
    ...(database.kind === 'postgres' ? passwordOf(database.url) : []),
    ...(alertsUrl === null ? [] : urlSecrets(alertsUrl)),
    ...(mail === null ? [] : passwordOfUrl(mail.smtp.url)),
    ...(mail?.smtp.dkim === undefined ? [] : linesOf(mail.smtp.dkim.privateKey)),
    ...(chain.kind === 'rpc' ? chain.urls.flatMap(urlSecrets) : []),
    ...(priceSource === null
      ? []
      : [...urlSecrets(priceSource.url), ...Object.values(priceSource.headers ?? {})]),
  ];
}

/** The lines of a key in PEM, which a log escapes the ends of, without its first and last. */
function linesOf(pem: string): readonly string[] {
  return pem.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('-----'));
}

/** The password of an address, as written and decoded, however short it is. */
function passwordOf(address: string): readonly string[] {
  return passwordOfUrl(postgresServers(address)[0]);
}

function passwordOfUrl(url: string): readonly string[] {
  const { password } = new URL(url);
  return password === '' ? [] : [password, decode(password)];
}

/**
 * RPC providers put API keys into the path, the query or the password of a URL. Each part is listed as
 * written and decoded, the longest first, so that a part which begins with another one is replaced whole.
 * Parts of fewer than 8 characters are left out, because most of them are ordinary words, such as `v2`.
 */
function urlSecrets(text: string): readonly string[] {
  const { pathname, search, username, password } = new URL(text);
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [...pathname.split('/'), ...values, username, password]
    .flatMap((part) => [part, decode(part)])
    .filter((part) => part.length >= 8)
    .sort((a, b) => b.length - a.length);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
