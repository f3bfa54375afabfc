import type { Config } from './read-config.js';

/** Every text of a configuration that must never be written anywhere. */
export function configSecrets({ chain, chargerKey, sealingKey }: Config): readonly string[] {
  const sealing = sealingKey === null ? null : Buffer.from(sealingKey);
  return [
    ...(chargerKey === null ? [] : [chargerKey]),
    ...(sealing === null ? [] : [sealing.toString('hex'), sealing.toString('base64')]),
    ...(chain.kind === 'rpc' ? chain.urls.flatMap(secretsOfUrl) : []),
  ];
}

/**
 * RPC providers put their customers' keys into the path, the query or the password of an address. Each part is known as
 * written and decoded, longest first so that none leaves the rest of another; shorter ones are ordinary words.
 */
function secretsOfUrl(text: string): readonly string[] {
  const { pathname, search, username, password } = new URL(text);
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [...pathname.split('/'), ...values, username, password]
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= 8)
    .sort((a, b) => b.length - a.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
