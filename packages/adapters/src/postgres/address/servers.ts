/**
 * Splits an address of several hosts, `postgres://subrail@one.example:5432,two.example/subrail`, into one
 * address for each.
 *
 * @example
 * postgresServers('postgres://subrail@one.example,two.example/subrail'); // ['postgres://subrail@one.example/subrail', …]
 */
export function postgresServers(address: string): readonly [string, ...string[]] {
  const [, before, hosts = '', after] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)([^]*)$/.exec(address) ?? [];
  const [first = '', ...others] = hosts.split(',');
  const at = (host: string) => `${before}${host}${after}`;
  return others.length === 0 ? [address] : [at(first), ...others.map(at)];
}
