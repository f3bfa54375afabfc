/**
 * A port with every call going through `around`. Members that are no functions are those of the port.
 * @param given methods that replace those of the port
 */
export function aroundCalls<Port extends object>(
  port: Port,
  around: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
  given: Partial<Port> = {},
): Port {
  const methods = new Map<string | symbol, unknown>(Object.entries(given));
  // Not a proxy of the port itself, which may be frozen.
  return new Proxy({} as Port, {
    get(_, name) {
      const known = methods.get(name);
      if (known !== undefined) return known;
      const method: unknown = Reflect.get(port, name);
      if (typeof method !== 'function') return method;
      const call = (...args: readonly unknown[]) =>
        around(String(name), () => Reflect.apply(method, port, args) as Promise<unknown>);
      methods.set(name, call);
      return call;
    },
  });
}
