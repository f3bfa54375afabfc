import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** Answers every address of a name, as text. Rejects when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Resolves as the operating system does, its hosts file included. */
export const resolveHost: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** A name led to an address nothing may be sent to. */
export class RefusedTarget extends Error {}

/**
 * A lookup for node's connections that hands on the very addresses it judged: what is connected to is what was checked.
 * One address that is not allowed refuses the name, for nobody who means well mixes the two.
 */
export function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = found;
        if (!addresses.every(isAllowed)) {
          callback(new RefusedTarget(`${hostname} leads to an address that is not public`), []);
        } else if (first === undefined) {
          callback(new Error(`${hostname} has no address`), []);
        } else if (options.all === true) {
          callback(null, found);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), []);
      },
    );
  };
}
