import type { FullStoreOperations } from '@subrail/core/ports';

/** The store with every call going through `around`, which may fail, delay or replace it. */
export function aroundStore<Operations extends FullStoreOperations>(
  store: Operations,
  around: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
): Operations {
  return new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) =>
        around(String(name), () => Reflect.apply(member, target, parameters) as Promise<unknown>);
    },
  });
}
