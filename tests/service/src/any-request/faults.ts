import { Unavailable, type ChainResult, type Chain, type Store } from '@subrail/core/ports';
import fc from 'fast-check';

/** What breaks, and at which of the calls a request makes of it. */
export interface Fault {
  readonly what:
    'silence' | 'rpc error' | 'store down' | 'answer lost' | 'bug in the store' | 'bug in the chain';
  readonly call: number;
}

export const fault: fc.Arbitrary<Fault> = fc.record({
  what: fc.constantFrom(
    ...([
      'silence',
      'rpc error',
      'store down',
      'answer lost',
      'bug in the store',
      'bug in the chain',
    ] as const),
  ),
  call: fc.nat(6),
});

/** Breaks the ports when told to: from the chosen call on, until it is mended. */
export class Faults {
  private current: Fault | null = null;
  private calls = 0;
  /** Whether anything broke since `begin`. */
  struck = false;

  begin(next: Fault | null): void {
    this.current = next;
    this.calls = 0;
    this.struck = false;
  }

  private strikes(...what: readonly Fault['what'][]): Fault['what'] | null {
    if (this.current === null || !what.includes(this.current.what)) return null;
    if (this.calls++ < this.current.call) return null;
    this.struck = true;
    return this.current.what;
  }

  readonly chain = (chain: Chain): Chain => {
    const unless = async <T>(
      silent: (answer: Extract<ChainResult<never>, { ok: false }>) => T,
      ask: () => Promise<T>,
    ) => {
      const struck = this.strikes('silence', 'rpc error', 'bug in the chain');
      if (struck === 'bug in the chain') throw new TypeError('a bug of the adapter');
      if (struck === 'silence') return silent({ ok: false, unavailable: { kind: 'transport' } });
      if (struck === 'rpc error') return silent({ ok: false, unavailable: { kind: 'rpc', code: -32_005 } });
      return ask();
    };
    return {
      ...chain,
      head: () =>
        unless(
          (answer) => answer,
          () => chain.head(),
        ),
      readPlan: (address) =>
        unless(
          (answer) => answer,
          () => chain.readPlan(address),
        ),
      readMint: (mint) =>
        unless(
          (answer) => answer,
          () => chain.readMint(mint),
        ),
      build: (ask) =>
        unless(
          (answer) => answer,
          () => chain.build(ask),
        ),
      simulate: (wire) =>
        unless(
          (answer) => answer,
          () => chain.simulate(wire),
        ),
      signCharges: (orders) =>
        unless(
          (answer) => answer,
          () => chain.signCharges(orders),
        ),
      readCharges: (asks, commitment) =>
        unless(
          (answer) => asks.map(() => answer),
          () => chain.readCharges(asks, commitment),
        ),
      resolve: (asks) =>
        unless(
          () => asks.map(() => ({ kind: 'unknown' })),
          () => chain.resolve(asks),
        ),
      send: (wires) =>
        unless(
          () => wires.map(() => ({ kind: 'unknown' })),
          () => chain.send(wires),
        ),
    };
  };

  readonly store = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name, receiver) => {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          const struck = this.strikes('store down', 'answer lost', 'bug in the store');
          if (struck === 'bug in the store') throw new TypeError('a bug of the store');
          if (struck === 'store down') throw new Unavailable('the database is down');
          const answer: unknown = await Reflect.apply(method, target, args);
          if (struck === 'answer lost') throw new Unavailable('the connection broke after it was done');
          return answer;
        };
      },
    });
}
