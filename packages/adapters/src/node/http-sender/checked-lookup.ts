import type { LookupFunction } from 'node:net';

/** Finds all IP addresses of a host name. Rejects when the lookup fails. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export class RefusedTarget extends Error {}

/**
 * A lookup that returns only checked addresses, so Node connects to what was checked
 * (deliveries#endpoint-address). One private address refuses the name: an honest endpoint has none.
 */
export function checkedLookup(resolve: ResolveHost, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const checked = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = checked;
        if (!addresses.every(isAllowed)) {
          callback(new RefusedTarget(`${hostname} resolves to an address that is not public`), []);
        } else if (first === undefined) {
          callback(new Error(`${hostname} has no IP address`), []);
        } else if (options.all === true) {
          callback(null, checked);
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
