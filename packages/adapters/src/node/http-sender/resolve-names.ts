import { Resolver } from 'node:dns/promises';
import type { ResolveHost } from './checked-lookup.js';
import { readHostsFile } from './hosts-file.js';

/** A name server that does not answer is asked once more, and then has twice as long. */
const QUERY_TRIES = 2;

/** Whom a resolver asks. */
export interface NameResolverOptions {
  /** The name servers, as `192.0.2.53` or `192.0.2.53:53`. Default: those of the machine. */
  readonly servers?: readonly string[];
  /** How long a name server has for its first answer, in milliseconds. Default: 1,500. */
  readonly queryMs?: number;
}

/**
 * Creates a resolver that asks the name servers itself, by default those of the machine, after the machine's hosts file.
 * Node's own look-up waits on one of a few threads for each name, so a name server that is silent about some names would
 * hold up all others. Here each name has queries of its own, and posts that wait for the same name share them.
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
    const asked = ask(name, options).finally(() => running.delete(name));
    running.set(name, asked);
    return asked;
  };
}

async function ask(
  name: string,
  { servers, queryMs = 1_500 }: NameResolverOptions,
): Promise<readonly string[]> {
  // A resolver reads the machine's name servers when it is made, and they change when the machine changes its network.
  const resolver = new Resolver({ timeout: queryMs, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // A name server that fails for one family only is common, and the other family is enough.
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
