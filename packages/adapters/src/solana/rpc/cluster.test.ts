import { describe, expect, it } from 'vitest';
import { createSolanaChain } from '../index.js';
import type { SolanaChainOptions } from '../chain.js';
import { charger, untimed } from '../tests/chain-on.js';
import { fakeTransport } from '../tests/fake-rpc.js';
import { key } from '../tests/charge-view.js';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const time = () => untimed(() => new Date('2026-01-01T00:00:00.000Z'));

/** A node of a cluster with this genesis hash, on which no plan exists. */
const nodeOf = (genesis: unknown) =>
  fakeTransport(({ method }) =>
    method === 'getGenesisHash' ? genesis : { context: { slot: 9n }, value: [null] },
  );

function readOn(nodes: readonly ReturnType<typeof nodeOf>[], options: Partial<SolanaChainOptions>) {
  const rpc = nodes.map(({ transport }) => transport);
  const chain = createSolanaChain({ rpc, charger, network: 'devnet', ...time(), ...options });
  return () => chain.readPlan(key(8));
}

const NONE = { ok: true, value: null };
const UNAVAILABLE = { ok: false, unavailable: { kind: 'transport' } };

describe('the cluster of an endpoint', () => {
  it.each([key(9), 'not a hash', null])(
    'must on mainnet-beta have the genesis hash of mainnet-beta, not %s',
    async (hash) => {
      const wrong = nodeOf(hash);
      expect(await readOn([wrong], { network: 'mainnet-beta' })()).toEqual(UNAVAILABLE);
      expect(wrong.methods).not.toContain('getMultipleAccounts');
    },
  );

  it('is read once, and the next endpoint serves when the first is of another cluster', async () => {
    const [wrong, right] = [nodeOf(key(9)), nodeOf(MAINNET)];
    const read = readOn([wrong, right], { network: 'mainnet-beta' });
    expect(await Promise.all([read(), read()])).toEqual([NONE, NONE]);
    expect(await read()).toEqual(NONE);
    expect(wrong.methods).toEqual(['getGenesisHash']);
    expect(right.methods.filter((method) => method === 'getGenesisHash')).toHaveLength(1);
  });

  it('must on devnet be that of the first endpoint to respond', async () => {
    let up = true;
    const first = fakeTransport(({ method }) => {
      if (!up) throw new Error('reset');
      return method === 'getGenesisHash' ? key(7) : { context: { slot: 9n }, value: [null] };
    });
    const other = nodeOf(key(9));
    const read = readOn([first, other], {});
    expect(await read()).toEqual(NONE);
    up = false;
    expect(await read()).toEqual(UNAVAILABLE);
    expect(other.methods).toEqual(['getGenesisHash']);
  });

  // invariants#database-bound-to-its-chain
  it('must on devnet not be mainnet-beta, even when that responds first', async () => {
    const [mainnet, right] = [nodeOf(MAINNET), nodeOf(key(7))];
    expect(await readOn([mainnet], {})()).toEqual(UNAVAILABLE);
    expect(mainnet.methods).not.toContain('getMultipleAccounts');
    expect(await readOn([mainnet, right], {})()).toEqual(NONE);
  });

  it('must have the genesis hash of the options on any network', async () => {
    expect(await readOn([nodeOf(key(9))], { genesisHash: key(9) })()).toEqual(NONE);
    expect(await readOn([nodeOf(key(7))], { genesisHash: key(9) })()).toEqual(UNAVAILABLE);
  });
});

// invariants#database-bound-to-its-chain
describe('the genesis of the chain', () => {
  const genesisOn = (
    nodes: readonly ReturnType<typeof nodeOf>[],
    options: Partial<SolanaChainOptions> = {},
  ) => {
    const rpc = nodes.map(({ transport }) => transport);
    return createSolanaChain({ rpc, charger, network: 'devnet', ...time(), ...options }).readGenesis();
  };
  const found = (hash: string, network: string) => ({ ok: true, value: { hash, network } });

  it('is that of the endpoint that serves', async () => {
    expect(await genesisOn([nodeOf(key(7))])).toEqual(found(key(7), 'devnet'));
    expect(await genesisOn([nodeOf(MAINNET), nodeOf(key(7))])).toEqual(found(key(7), 'devnet'));
    const mainnet = { network: 'mainnet-beta' } as const;
    expect(await genesisOn([nodeOf(MAINNET)], mainnet)).toEqual(found(MAINNET, 'mainnet-beta'));
    // A local copy of mainnet-beta has another genesis hash than mainnet-beta.
    expect(await genesisOn([nodeOf(key(9))], { ...mainnet, genesisHash: key(9) })).toEqual(
      found(key(9), 'mainnet-beta'),
    );
  });

  it('says of which network the endpoints are when all are of another one', async () => {
    expect(await genesisOn([nodeOf(MAINNET), nodeOf(MAINNET)])).toEqual(found(MAINNET, 'mainnet-beta'));
    expect(await genesisOn([nodeOf(MAINNET)], { genesisHash: MAINNET })).toEqual(
      found(MAINNET, 'mainnet-beta'),
    );
    expect(await genesisOn([nodeOf(key(7))], { network: 'mainnet-beta' })).toEqual(found(key(7), 'devnet'));
  });

  it('is unavailable while an endpoint that may be the right one does not respond', async () => {
    const silent = fakeTransport(() => {
      throw new Error('reset');
    });
    expect(await genesisOn([silent, nodeOf(MAINNET)])).toEqual(UNAVAILABLE);
    expect(await genesisOn([nodeOf(key(7))], { genesisHash: key(9) })).toEqual(UNAVAILABLE);
  });
});
