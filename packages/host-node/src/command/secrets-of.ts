import type { Config } from '../config/read-config.js';

/** Every text of a configuration that must never be written anywhere. */
export function secretsOf({ chain, chargerKey, sealingKey }: Config): readonly string[] {
  const sealing = sealingKey === null ? null : Buffer.from(sealingKey);
  return [
    ...(chargerKey === null ? [] : [chargerKey]),
    ...(sealing === null ? [] : [sealing.toString('hex'), sealing.toString('base64')]),
    ...(chain.kind === 'rpc' ? chain.urls.flatMap(secretsOfUrl) : []),
  ];
}

/** RPC providers put their customers' keys into the path, the query or the password of an address. */
function secretsOfUrl(text: string): readonly string[] {
  const { pathname, search, username, password } = new URL(text);
  return [pathname.slice(1), search.slice(1), username, password].filter((part) => part.length >= 8);
}
