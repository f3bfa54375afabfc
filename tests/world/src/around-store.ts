/** The port, such as a store, with every call going through `around`, which may fail, delay or replace it. */
export function aroundStore<Port extends object>(
  port: Port,
  around: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) =>
        around(String(name), () => Reflect.apply(member, target, parameters) as Promise<unknown>);
    },
  });
}
