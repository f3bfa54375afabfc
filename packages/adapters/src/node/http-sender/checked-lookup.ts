import type { LookupFunction } from 'node:net';

/** Finds all IP addresses of a host name, as text. Rejects when the lookup fails. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Thrown when a name resolves to an address that must not be called. */
export class RefusedTarget extends Error {}

/**
 * Creates a lookup for Node's connections that returns only checked addresses, so Node connects to what was checked
 * (deliveries#endpoint-address). A name is refused when even one of its addresses is not allowed, because an honest
 * endpoint has no private address.
 */
export function checkedLookup(resolve: ResolveHost, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = found;
        if (!addresses.every(isAllowed)) {
          callback(new RefusedTarget(`${hostname} resolves to an address that is not public`), []);
        } else if (first === undefined) {
          callback(new Error(`${hostname} has no IP address`), []);
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
