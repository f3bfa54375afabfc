/**
 * Makes a port of the given methods, for a test that needs no others, or for the kit of an unfinished
 * adapter. A call of any other method throws an error with the method's name.
 *
 * @example
 * import type { Chain } from '@subrail/core/ports';
 *
 * const chain = partialPort<Chain>({ network: 'devnet' });
 */
export function partialPort<Port extends object>(methods: Partial<Port>): Port {
  return new Proxy(methods as Port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      // `await` looks for `then`, and inspections look for symbols: neither is a call of the port.
      if (method !== undefined || name === 'then' || typeof name === 'symbol') return method;
      return () => {
        throw new Error(`The port has no method ${name}: partialPort was given none.`);
      };
    },
  });
}
