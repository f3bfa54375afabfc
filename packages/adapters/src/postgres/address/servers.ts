/**
 * Splits an address of several hosts, `postgres://subrail@one.example:5432,two.example/subrail`, into one
 * address for each.
 *
 * @example
 * postgresServers('postgres://app@one.example,two.example/app'); // ['postgres://app@one.example/app', …]
 */
export function postgresServers(address: string): readonly [string, ...string[]] {
  const [, before, hosts = '', after] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)([^]*)$/.exec(address) ?? [];
  const [first = '', ...others] = hosts.split(',');
  const at = (host: string) => `${before}${host}${after}`;
  return others.length === 0 ? [address] : [at(first), ...others.map(at)];
}
