import { Unavailable, type Chain, type ChainUnavailable, type FullStore } from '@subrail/core/ports';
import { aroundStore, withOutages } from '@subrail/test-world';
import fc from 'fast-check';

const FAULTS = [
  'chain unreachable',
  'rpc error',
  'store down',
  'answer lost',
  'bug in the store',
  'bug in the chain',
] as const;

/** What breaks, and how many calls of a request succeed before it does. */
export interface Fault {
  readonly what: (typeof FAULTS)[number];
  readonly call: number;
}

export const fault: fc.Arbitrary<Fault> = fc.record({ what: fc.constantFrom(...FAULTS), call: fc.nat(6) });

/** Injects one fault at a time into the chain and the store, after the chosen number of calls. */
export class FaultInjector {
  private current: Fault | null = null;
  private calls = 0;
  /** Whether any call failed since `begin`. */
  hasFailed = false;

  /** Starts a fault, or none, and counts its calls from here. */
  begin(next: Fault | null): void {
    this.current = next;
    this.calls = 0;
    this.hasFailed = false;
  }

  private failure(...candidates: readonly Fault['what'][]): Fault['what'] | null {
    if (this.current === null || !candidates.includes(this.current.what)) return null;
    if (this.calls++ < this.current.call) return null;
    this.hasFailed = true;
    return this.current.what;
  }

  private outage(): ChainUnavailable | null {
    const failure = this.failure('chain unreachable', 'rpc error', 'bug in the chain');
    if (failure === 'bug in the chain') throw new TypeError('a bug of the adapter');
    if (failure === 'chain unreachable') return { kind: 'transport' };
    return failure === 'rpc error' ? { kind: 'rpc', code: -32_005 } : null;
  }

  readonly wrapChain = (chain: Chain): Chain => withOutages(chain, () => this.outage());

  readonly wrapStore = (store: FullStore): FullStore =>
    aroundStore(store, async (_, call) => {
      const failure = this.failure('store down', 'answer lost', 'bug in the store');
      if (failure === 'bug in the store') throw new TypeError('a bug of the store');
      if (failure === 'store down') throw new Unavailable('the database is down');
      const answer = await call();
      if (failure === 'answer lost') throw new Unavailable('the connection broke after the call was done');
      return answer;
    });
}
