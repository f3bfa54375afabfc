import { Resolver } from 'node:dns/promises';
import type { ResolveHost } from './checked-lookup.js';
import { readHostsFile } from './hosts-file.js';

/** A second query to a silent name server has twice the time. */
const QUERY_TRIES = 2;

export interface NameResolverOptions {
  /** The name servers, as `192.0.2.53` or `192.0.2.53:53`. Default: those of the machine. */
  readonly servers?: readonly string[];
  /** The time for the first answer of a name server, in milliseconds. Default: 1,500. */
  readonly queryMs?: number;
}

/**
 * Creates a resolver that asks the hosts file, then the name servers of the machine. The lookup of Node waits
 * on one of few threads for each name, so a server that is silent about some names would delay all. Here each
 * name has its own queries, which waiting posts share.
 */
export function createNameResolver(options: NameResolverOptions = {}): ResolveHost {
  const hosts = readHostsFile();
  const running = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const local = hosts(name);
    if (local.length > 0) return Promise.resolve(local);
    const shared = running.get(name);
    if (shared !== undefined) return shared;
    const answer = ask(name, options).finally(() => running.delete(name));
    running.set(name, answer);
    return answer;
  };
}

async function ask(
  name: string,
  { servers, queryMs = 1_500 }: NameResolverOptions,
): Promise<readonly string[]> {
  // Made anew for each name: the name servers change with the network.
  const resolver = new Resolver({ timeout: queryMs, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // Name servers often fail for one family, and the other is enough.
  if (addresses.length > 0) return addresses;
  const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
  const failure = codes.find((code) => code !== 'ENODATA' && code !== 'ENOTFOUND');
  if (failure === 'ETIMEOUT') throw new Error(`no name server answered for ${name}`);
  if (failure !== undefined) throw new Error(`the name servers failed for ${name} (${failure})`);
  if (codes.includes('ENOTFOUND')) throw new Error(`${name} does not exist`);
  return [];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
