/**
 * Makes a port of the given methods, for a test that needs no others. A call of any other throws, so that the test notices
 * a call that it does not expect.
 *
 * @example
 * const chain = partialPort<Chain>({ network: 'devnet' });
 */
export function partialPort<Port extends object>(methods: Partial<Port>): Port {
  return new Proxy(methods as Port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (method !== undefined) return method;
      return () => {
        throw new Error(`The test gave the port no method ${String(name)}.`);
      };
    },
  });
}
