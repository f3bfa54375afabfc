import type {
  Chain,
  ChainResult,
  ChargeView,
  SubscriberView,
  SubscriptionHistory,
  TransactionOutcome,
  UnsignedTransaction,
} from '@subrail/core/ports';

/** A promise that a chain breaks: the kit's test that must fail, and the change of the adapter. */
export interface BrokenChain {
  readonly promise: string;
  readonly fault: string;
  readonly change: (chain: Chain) => Partial<Chain>;
}

const mapped = <T, R>(result: ChainResult<T>, change: (value: T) => R): ChainResult<R> =>
  result.ok ? { ok: true, value: change(result.value) } : result;

const changedViews =
  (change: (view: ChargeView) => ChargeView): BrokenChain['change'] =>
  (chain) => ({
    readCharges: async (targets, commitment) =>
      (await chain.readCharges(targets, commitment)).map((view) => mapped(view, change)),
  });

const changedBuilds =
  (change: (built: UnsignedTransaction) => UnsignedTransaction): BrokenChain['change'] =>
  (chain) => ({ build: async (request) => mapped(await chain.build(request), change) });

const changedOutcomes =
  (change: (outcome: TransactionOutcome) => TransactionOutcome): BrokenChain['change'] =>
  (chain) => ({ resolve: async (queries) => (await chain.resolve(queries)).map(change) });

/** Chains that each break one promise. */
export const BROKEN_CHAINS: readonly BrokenChain[] = [
  {
    promise: 'reads one genesis hash for as long as the chain exists, and its network',
    fault: 'returns another block’s hash later',
    change: (chain) => ({
      async readGenesis() {
        const [genesis, head] = [await chain.readGenesis(), await chain.head()];
        return mapped(genesis, (read) => ({ ...read, hash: `${head.ok ? head.value.slot : ''}` }));
      },
    }),
  },
  {
    promise: 'reads a head that moves with the chain, with its time in whole seconds',
    fault: 'returns the first head again',
    change: (chain) => {
      const first = chain.head();
      return { head: () => first };
    },
  },
  {
    promise: 'reads what the charger has, and by how much one charge lessens it',
    fault: 'reads the balance once',
    change: (chain) => {
      const first = chain.readCharger();
      return { readCharger: () => first };
    },
  },
  {
    promise: 'says how its servers have answered so far, without a call',
    fault: 'counts no calls',
    change: (chain) => ({
      servers: () => ({
        ...chain.servers(),
        servers: chain.servers().servers.map((server) => ({ ...server, calls: 0 })),
      }),
    }),
  },
  {
    promise: 'derives an address per owner and number, and per plan and wallet',
    fault: 'cuts plan numbers to 32 bits',
    change: (chain) => ({
      planAddress: (owner, number) => chain.planAddress(owner, number === 1_001n ? 1_000n : number),
    }),
  },
  {
    promise: 'reads a plan as it was created, and null where there is none',
    fault: 'is unavailable where there is no plan',
    change: (chain) => ({
      async readPlan(address) {
        const read = await chain.readPlan(address);
        return read.ok && read.value === null ? { ok: false, unavailable: { kind: 'transport' } } : read;
      },
    }),
  },
  {
    promise: 'reads many plans, in their order, at both commitments, or null',
    fault: 'reads equal addresses once',
    change: (chain) => ({
      readPlans: (addresses, commitment) => chain.readPlans([...new Set(addresses)], commitment),
    }),
  },
  {
    promise: 'reads a mint, and null where there is none',
    fault: 'returns a mint without decimals where there is none',
    change: (chain) => ({
      readMint: async (address) =>
        mapped(
          await chain.readMint(address),
          (mint) =>
            mint ?? {
              ...{ tokenProgram: '', decimals: 0, paused: false, transferable: true, hookProgram: null },
              ...{ scaled: false, names: null },
            },
        ),
    }),
  },
  ...(['off_curve', 'token', 'program'] as const).map((kind): BrokenChain => ({
    promise: 'tells the address of a wallet from every other one',
    fault: `takes an address of kind ${kind} for a wallet’s`,
    change: (chain) => ({
      readAddress: async (address) =>
        mapped(await chain.readAddress(address), (read) =>
          read.kind === kind ? { ...read, kind: 'wallet' } : read,
        ),
    }),
  })),
  {
    promise: 'reads what an address has, and 0 where there is no account',
    fault: 'reads nothing',
    change: (chain) => ({
      readAddress: async (address) =>
        mapped(await chain.readAddress(address), (read) => ({ ...read, lamports: 0n })),
    }),
  },
  ...([0, 2] as const).map((times): BrokenChain => ({
    promise: 'reads every token account of a wallet for a mint, and none of a wallet without one',
    fault: `lists each ${times} times`,
    change: (chain) => ({
      readTokensOf: async (wallet, mint) =>
        mapped(await chain.readTokensOf(wallet, mint), (accounts) =>
          Array.from({ length: times }, () => accounts).flat(),
        ),
    }),
  })),
  {
    promise: 'reads what a transaction brought to a wallet, and null for one that no block has',
    fault: 'counts all that the wallet has',
    change: (chain) => ({
      readReceipt: async (query) => {
        const own = await chain.readTokensOf(query.wallet, query.mint);
        const [account] = own.ok ? own.value : [];
        const received = account?.balance ?? 1n;
        return mapped(await chain.readReceipt(query), (receipt) => receipt && { ...receipt, received });
      },
    }),
  },
  {
    promise: 'reads every token account of a wallet for a mint, and none of a wallet without one',
    fault: 'makes one up where there is none',
    change: (chain) => ({
      readTokensOf: async (wallet, mint) =>
        mapped(await chain.readTokensOf(wallet, mint), (accounts) =>
          accounts.length > 0 ? accounts : [{ address: mint, balance: 0n }],
        ),
    }),
  },
  ...(
    [
      ['lists nobody', () => []],
      ['lists one twice', (listed) => [...listed, ...listed]],
      ['lists one with another wallet', (listed) => listed.map((one) => ({ ...one, wallet: 'another' }))],
      ['lists one without its payment', (listed) => listed.map((one) => ({ ...one, pulled: 0n }))],
    ] satisfies readonly [string, (listed: readonly SubscriberView[]) => readonly SubscriberView[]][]
  ).map(([fault, change]): BrokenChain => ({
    promise: 'lists the subscriptions to a plan that are not cancelled, at finalized',
    fault,
    change: (chain) => ({
      readSubscribers: async (plan) => mapped(await chain.readSubscribers(plan), change),
    }),
  })),
  {
    promise: 'reads accounts of a charge that do not exist as null',
    fault: 'reads a missing token account as an empty one',
    change: changedViews((view) => ({
      ...view,
      source: view.source ?? {
        owner: '',
        balance: 0n,
        frozen: false,
        guarded: false,
        delegate: null,
        delegatedAmount: 0n,
      },
    })),
  },
  {
    promise: 'reads everything that a charge depends on, at both commitments',
    fault: 'does not read what was charged in the period',
    change: changedViews((view) => ({
      ...view,
      subscription: view.subscription && { ...view.subscription, pulled: 0n },
    })),
  },
  {
    promise: 'reads the owner’s token account where the receiver has none, if allowed',
    fault: 'reads no other account than the receiver’s',
    change: changedViews((view) => ({ ...view, receiver: null })),
  },
  {
    promise: 'reads one result for each target, in their order',
    fault: 'reads the targets in groups',
    change: (chain) => ({
      readCharges: async (targets, commitment) =>
        chain.readCharges(
          [...targets].sort((a, b) => (a.wallet < b.wallet ? -1 : 1)),
          commitment,
        ),
    }),
  },
  {
    promise: 'builds an unsigned transaction, with its last height and its costs',
    fault: 'leaves the fee out of the total',
    change: changedBuilds((built) => ({
      ...built,
      costs: { ...built.costs, total: built.costs.rent.total },
    })),
  },
  {
    promise: 'builds an unsigned transaction, with its last height and its costs',
    fault: 'returns the present height as the last valid one',
    change: (chain) => ({
      async build(request) {
        const head = await chain.head();
        const height = head.ok ? head.value.blockHeight : 0n;
        return mapped(await chain.build(request), (built) => ({ ...built, lastValidBlockHeight: height }));
      },
    }),
  },
  {
    promise: 'builds an unsigned transaction, with its last height and its costs',
    fault: 'hides that it approves',
    change: changedBuilds((built) => ({ ...built, approves: false })),
  },
  {
    promise: 'asks no rent for accounts that exist',
    fault: 'says that everything approves',
    change: changedBuilds((built) => ({ ...built, approves: true })),
  },
  {
    promise: 'asks no rent for accounts that exist',
    fault: 'always states the rent of an authority',
    change: changedBuilds((built) => {
      const { rent } = built.costs;
      return { ...built, costs: { ...built.costs, rent: { ...rent, authority: rent.authority ?? 1n } } };
    }),
  },
  ...(
    [
      ['accepts every transaction', 'ours'],
      ['takes every transaction for another message', 'other_message'],
    ] as const
  ).map(([fault, kind]): BrokenChain => ({
    promise: 'tells the built transaction from every other one',
    fault,
    change: (chain) => ({
      inspect: async (submitted) =>
        kind === 'ours'
          ? { kind, signature: chain.signatureOf(submitted) ?? '', hasBuiltLifetime: true }
          : { kind },
    }),
  })),
  ...([true, false] as const).map((answer): BrokenChain => ({
    promise: 'tells the wallet’s signature of a built transaction from every other one',
    fault: `says ${answer} of every signature`,
    change: () => ({ isSignatureOf: async () => answer }),
  })),
  {
    promise: 'finds the wallet’s signature of a text, and takes no other one for it',
    fault: 'finds none',
    change: () => ({ readTextSignature: async () => null }),
  },
  {
    promise: 'finds the wallet’s signature of a text, and takes no other one for it',
    fault: 'takes every signature for one',
    change: () => ({ readTextSignature: async ({ signature }) => ({ signature, envelope: null }) }),
  },
  ...[0n, null].map((value): BrokenChain => ({
    promise: 'reads until when a submitted transaction can land, and that it no longer can',
    fault: `answers ${value}`,
    change: () => ({ readLifetime: async () => ({ ok: true, value }) }),
  })),
  {
    promise: 'reads until when a submitted transaction can land, and that it no longer can',
    fault: 'knows every blockhash',
    change: () => ({ readLifetime: async () => ({ ok: true, value: 1n << 40n }) }),
  },
  {
    promise: 'co-signs without changing the wallet’s signature or the message',
    fault: 'returns a height of its own',
    change: (chain) => ({
      cosign: async (submitted) => chain.cosign(submitted, 999n),
    }),
  },
  {
    promise: 'simulates without sending, and returns what the chain would refuse',
    fault: 'sends what it simulates',
    change: (chain) => ({
      async simulate(wire) {
        const result = await chain.simulate(wire);
        await chain.send([wire]);
        return result;
      },
    }),
  },
  {
    promise: 'simulates without sending, and returns what the chain would refuse',
    fault: 'finds nothing to refuse',
    change: () => ({ simulate: async () => ({ ok: true, value: null }) }),
  },
  {
    promise: 'cancels, resumes and closes a subscription',
    fault: 'reads no cancellation',
    change: changedViews((view) => ({
      ...view,
      subscription: view.subscription && { ...view.subscription, expiresAt: null },
    })),
  },
  {
    promise: 'cancels one subscription and pays for another in one transaction',
    fault: 'leaves the old subscription running',
    change: (chain) => ({
      build: (request) =>
        chain.build(request.kind === 'change' ? { ...request, kind: 'subscribe' } : request),
    }),
  },
  {
    promise: 'changes a plan as asked, leaves the rest, and deletes it after its end',
    fault: 'takes every puller off with any other change',
    change: (chain) => ({
      build: (request) =>
        chain.build(
          request.kind === 'update_plan'
            ? { ...request, changes: { pullers: [], ...request.changes } }
            : request,
        ),
    }),
  },
  {
    promise: 'pays a later period by a comeback over the subscription that exists',
    fault: 'builds a cancellation in place of a comeback',
    change: (chain) => ({
      build: (request) => chain.build(request.kind === 'comeback' ? { ...request, kind: 'cancel' } : request),
    }),
  },
  {
    promise: 'signs one charge for each order, in their order, and sends none',
    fault: 'sends what it signs',
    change: (chain) => ({
      async signCharges(orders) {
        const charges = await chain.signCharges(orders);
        if (charges.ok) await chain.send(charges.value.map(({ wire }) => wire));
        return charges;
      },
    }),
  },
  {
    promise: 'signs one charge for each order, in their order, and sends none',
    fault: 'returns the charges in another order',
    change: (chain) => ({
      signCharges: async (orders) =>
        mapped(await chain.signCharges(orders), (charges) => [...charges].reverse()),
    }),
  },
  {
    promise: 'tells apart what charges paid that may share a transaction',
    fault: 'takes every payment of a transaction for its first',
    change: (chain) => ({
      resolve: (queries) => chain.resolve(queries.map((query) => ({ ...query, paymentIndex: 0 }))),
    }),
  },
  {
    promise: 'lets no charge share a transaction with one that would fail',
    fault: 'signs one transaction for all',
    change: (chain) => ({
      signCharges: async (orders) =>
        mapped(await chain.signCharges(orders), (charges) =>
          charges.map((charge) => ({ ...charge, ...charges[0] })),
        ),
    }),
  },
  {
    promise: 'lands a transaction once, however often it is sent',
    fault: 'reports a copy of what landed as refused',
    change: (chain) => {
      const seen = new Set<string>();
      return {
        async send(wires) {
          const results = await chain.send(wires);
          return results.map((result, index) => {
            const wire = wires[index] ?? '';
            if (!seen.has(wire)) {
              seen.add(wire);
              return result;
            }
            return { kind: 'refused', refusal: { kind: 'chain', code: 7050007 } };
          });
        },
      };
    },
  },
  {
    promise: 'reports when a charge landed and what the receiver got',
    fault: 'does not read what the receiver got',
    change: changedOutcomes((outcome) =>
      outcome.kind === 'landed' ? { ...outcome, received: null } : outcome,
    ),
  },
  {
    promise: 'classifies why a charge failed on chain',
    fault: 'takes every failure for the chain’s',
    change: changedOutcomes((outcome) =>
      outcome.kind === 'failed' ? { ...outcome, refusal: { ...outcome.refusal, kind: 'chain' } } : outcome,
    ),
  },
  {
    promise: 'reports an unsent transaction as waiting, and later as not found',
    fault: 'does not find what may still land',
    change: changedOutcomes((outcome) => (outcome.kind === 'waiting' ? { kind: 'not_found' } : outcome)),
  },
  {
    promise: 'reports an unsent transaction as waiting, and later as not found',
    fault: 'waits for ever',
    change: changedOutcomes((outcome) => (outcome.kind === 'not_found' ? { kind: 'waiting' } : outcome)),
  },
  {
    promise: 'never lands a transaction whose block height has passed',
    fault: 'reports what was sent as landed',
    change: (chain) => {
      const sent = { any: 0 };
      return {
        send(wires) {
          sent.any += wires.length;
          return chain.send(wires);
        },
        async resolve(queries) {
          const outcomes = await chain.resolve(queries);
          return outcomes.map((outcome) =>
            outcome.kind === 'not_found' && sent.any > 0
              ? { kind: 'landed', slot: 1n, time: new Date(0), received: null }
              : outcome,
          );
        },
      };
    },
  },
  {
    promise: 'reports what landed or failed as before when much time has passed',
    fault: 'forgets what is old',
    change: (chain) => ({
      async resolve(queries) {
        const [head, outcomes] = [await chain.head(), await chain.resolve(queries)];
        const height = head.ok ? head.value.blockHeight : 0n;
        return outcomes.map((outcome, index) =>
          height > (queries[index]?.lastValidBlockHeight ?? height) ? { kind: 'not_found' } : outcome,
        );
      },
    }),
  },
  {
    promise: 'returns one outcome for each query, in their order',
    fault: 'answers equal queries once',
    change: (chain) => ({
      resolve: async (queries) =>
        chain.resolve([...new Map(queries.map((query) => [query.signature, query])).values()]),
    }),
  },
  ...(
    [
      ['finds no payment', (history) => ({ ...history, payments: [] })],
      ['lists the oldest first', (history) => ({ ...history, payments: [...history.payments].reverse() })],
      ['does not see that the account was made', (history) => ({ ...history, createdAt: null })],
    ] as readonly [string, (history: SubscriptionHistory) => SubscriptionHistory][]
  ).map(([fault, change]): BrokenChain => ({
    promise: 'reads payments from the history of an account, newest first',
    fault,
    change: (chain) => ({ readHistory: async (query) => mapped(await chain.readHistory(query), change) }),
  })),
  {
    promise: 'reads payments from the history of an account, newest first',
    fault: 'also lists what landed before',
    change: (chain) => {
      const first: { since?: Date } = {};
      return {
        readHistory: (query) => chain.readHistory({ ...query, since: (first.since ??= query.since) }),
      };
    },
  },
  {
    promise: 'returns one result for each transaction it sends, in their order',
    fault: 'leaves out what it refused',
    change: (chain) => ({
      send: async (wires) => (await chain.send(wires)).filter(({ kind }) => kind !== 'refused'),
    }),
  },
  ...(['head', 'readCharger', 'readPlan', 'readAddress', 'readHistory', 'build', 'signCharges'] as const).map(
    (method): BrokenChain => ({
      promise: 'returns that the chain is unavailable as a value, and throws nothing',
      fault: `throws from ${method}`,
      change: (chain) => ({
        [method]: async (given: never) => {
          const result = await (chain[method] as (given: never) => Promise<ChainResult<unknown>>)(given);
          if (!result.ok) throw new Error('The chain is unavailable.');
          return result;
        },
      }),
    }),
  ),
  {
    promise: 'returns that the chain is unavailable as a value, and throws nothing',
    fault: 'reads a plan that it cannot read as missing',
    change: (chain) => ({
      async readPlan(address) {
        const read = await chain.readPlan(address);
        return read.ok ? read : { ok: true, value: null };
      },
    }),
  },
  {
    promise: 'returns that the chain is unavailable as a value, and throws nothing',
    fault: 'reports what it cannot look up as waiting',
    change: changedOutcomes((outcome) => (outcome.kind === 'unknown' ? { kind: 'waiting' } : outcome)),
  },
  {
    promise: 'derives, decodes, inspects and co-signs without the chain',
    fault: 'reads the chain to inspect a transaction',
    change: (chain) => ({
      async inspect(submitted, built, wallet) {
        const head = await chain.head();
        return head.ok ? chain.inspect(submitted, built, wallet) : { kind: 'undecodable' };
      },
    }),
  },
  {
    promise: 'works again after an outage, and what was not sent then can be sent now',
    fault: 'does not send a transaction again',
    change: (chain) => {
      const seen = new Set<string>();
      return {
        async send(wires) {
          const fresh = wires.filter((wire) => !seen.has(wire));
          for (const wire of fresh) seen.add(wire);
          await chain.send(fresh);
          return wires.map(() => ({ kind: 'sent' }));
        },
      };
    },
  },
];
