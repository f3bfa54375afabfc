import { describe, expect, it } from 'vitest';

import type { Chain, ChainResult, Genesis, PlanView, Store } from '../ports/index.js';
import type { ChainIdentity, Plan } from '../records/index.js';
import { partialPort } from '../testing/partial-port.js';
import { aPlan, aProject } from '../testing/records.js';
import { createChainCheck } from './check-chain.js';
import { checkedChain } from './checked-chain.js';

const SILENT = { ok: false, unavailable: { kind: 'rpc', code: 7 } } as const;
const genesis = (hash: string, network: Genesis['network'] = 'devnet'): ChainResult<Genesis> => ({
  ok: true,
  value: { hash, network },
});
const project = aProject();

/** A service on one chain, with what was stored, logged and sent. */
function fixture({ stored = null as ChainIdentity | null, plans = [] as readonly Plan[] } = {}) {
  const state = {
    stored,
    genesis: genesis('one'),
    reads: 0,
    sent: [] as string[],
    storeFails: false,
    views: new Map<string, ChainResult<Partial<PlanView> | null>>(),
  };
  const logged: { level: string; facts: object; message: string }[] = [];
  const log = (level: string) => (facts: object, message: string) =>
    void logged.push({ level, facts, message });
  const store = partialPort<Store>({
    async claimChainIdentity(identity) {
      if (state.storeFails) throw new Error('disk');
      return (state.stored ??= identity);
    },
    listProjects: async () => [project],
    listPlans: async () => plans,
  });
  const chain = partialPort<Chain>({
    network: 'devnet',
    charger: 'charger',
    async readGenesis() {
      state.reads += 1;
      return state.genesis;
    },
    readMint: async () => ({ ok: true, value: null }),
    readPlan: async (address) => (state.views.get(address) ?? SILENT) as ChainResult<PlanView | null>,
    async send(transactions) {
      state.sent.push(...transactions);
      return transactions.map(() => ({ kind: 'sent' as const }));
    },
    resolve: async (queries) => queries.map(() => ({ kind: 'not_found' as const })),
    readCharges: async (targets) => targets.map(() => ({ ok: true as const, value: 'view' as never })),
  });
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const alerts: string[] = [];
  const check = createChainCheck({
    ...{ store, chain, logger },
    alerts: { seen: ({ kind, facts }) => void alerts.push(`${kind}: ${String(facts?.['finding'])}`) },
  });
  return { state, logged, alerts, check, chain: checkedChain(chain, check) };
}

const TIED: ChainIdentity = { genesisHash: 'one', network: 'devnet', charger: 'charger' };

// invariants#database-bound-to-its-chain
describe('the check of the chain', () => {
  it('writes the chain into a new database, and reads it no more', async () => {
    const { state, check, logged } = fixture();
    expect(await Promise.all([check(), check()])).toEqual([{ state: 'ok' }, { state: 'ok' }]);
    expect(await check()).toEqual({ state: 'ok' });
    expect([state.stored, state.reads, logged]).toEqual([TIED, 1, []]);
  });

  it('refuses another genesis hash than the stored one, and reports it', async () => {
    const { check, alerts, state } = fixture({ stored: { ...TIED, genesisHash: 'another' } });
    for (const found of [await check(), await check()])
      expect(found).toMatchObject({
        state: 'wrong',
        error: {
          name: 'WrongChain',
          message: expect.stringMatching(
            /^The database belongs to a chain of devnet with the genesis hash another, .* genesis hash one\./,
          ) as string,
        },
      });
    expect(alerts).toEqual([
      expect.stringMatching(/^chain_wrong: The database belongs to a chain of devnet/),
    ]);
    expect(state.stored?.genesisHash).toBe('another');
  });

  it('refuses a chain of another network, and writes nothing', async () => {
    const { check, state } = fixture();
    state.genesis = genesis('main', 'mainnet-beta');
    expect(await check()).toMatchObject({
      error: {
        message: expect.stringMatching(/^The service is set up for devnet, but .* mainnet-beta/) as string,
      },
    });
    expect(state.stored).toBeNull();
  });

  it('checks again after a chain or a store that did not answer', async () => {
    const { check, state } = fixture();
    state.genesis = SILENT;
    expect(await check()).toEqual({ state: 'unknown', unavailable: SILENT.unavailable });
    state.genesis = genesis('one');
    state.storeFails = true;
    await expect(check()).rejects.toThrow('disk');
    state.storeFails = false;
    expect(await check()).toEqual({ state: 'ok' });
  });
});

// invariants#changed-charger-warning
describe('another charger', () => {
  const plan = (slug: string) => aPlan({ projectId: project.id, slug, status: 'active' });
  const plans = [plan('listed'), plan('owned'), plan('lacking'), plan('gone'), plan('silent')] as const;
  const [listed, owned, lacking, gone] = plans;
  const read = (view: Partial<PlanView> | null) => ({ ok: true, value: view }) as const;

  it('is a warning that names the plans which do not list it, and the service goes on', async () => {
    const { check, state, logged } = fixture({ stored: { ...TIED, charger: 'first' }, plans });
    state.views.set(listed.address, read({ owner: 'owner', pullers: ['first', 'charger'] }));
    state.views.set(owned.address, read({ owner: 'charger', pullers: [] }));
    state.views.set(lacking.address, read({ owner: 'owner', pullers: ['first'] }));
    state.views.set(gone.address, read(null));
    expect(await check()).toEqual({ state: 'ok' });
    expect(logged).toMatchObject([
      {
        level: 'warn',
        facts: {
          charger: 'charger',
          first_charger: 'first',
          plans: [`${project.id}/lacking`],
          unread_plans: 1,
        },
      },
    ]);
    expect(state.stored?.charger).toBe('first');
  });

  it('is no warning once every plan lists it', async () => {
    const { check, state, logged } = fixture({ stored: { ...TIED, charger: 'first' }, plans: [listed] });
    state.views.set(listed.address, read({ owner: 'owner', pullers: ['charger'] }));
    expect([await check(), logged]).toEqual([{ state: 'ok' }, []]);
  });
});

// invariants#database-bound-to-its-chain
describe('a chain behind its check', () => {
  const query = { signature: 'signature' } as never;
  const target = {} as never;

  it('reads, sends and looks up nothing until it is known to be the right one', async () => {
    const { chain, state } = fixture();
    state.genesis = SILENT;
    expect(await chain.readMint('mint')).toEqual(SILENT);
    expect(await chain.readCharges([target, target], 'confirmed')).toEqual([SILENT, SILENT]);
    expect(await chain.send(['wire'])).toEqual([{ kind: 'unknown' }]);
    expect(await chain.resolve([query])).toEqual([{ kind: 'unknown' }]);
    expect(state.sent).toEqual([]);
    state.genesis = genesis('one');
    expect(await chain.readMint('mint')).toEqual({ ok: true, value: null });
    expect(await chain.readCharges([target], 'confirmed')).toEqual([{ ok: true, value: 'view' }]);
    expect(await chain.send(['wire'])).toEqual([{ kind: 'sent' }]);
    expect(await chain.resolve([query])).toEqual([{ kind: 'not_found' }]);
    expect([state.sent, state.stored]).toEqual([['wire'], TIED]);
  });

  it('stays unavailable when it is the wrong one', async () => {
    const { chain, state } = fixture({ stored: { ...TIED, genesisHash: 'another' } });
    expect(await chain.readMint('mint')).toEqual({ ok: false, unavailable: { kind: 'transport' } });
    expect(await chain.send(['wire'])).toEqual([{ kind: 'unknown' }]);
    expect(state.sent).toEqual([]);
  });
});
