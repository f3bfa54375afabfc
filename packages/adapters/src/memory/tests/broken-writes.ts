import { changing, replacing, withoutUnique, type BrokenStore } from './break-store.js';

/** Stores that write less, or more, than they should. */
export const BROKEN_COMMITS: readonly BrokenStore[] = [
  ...(['attempts', 'transfers', 'events', 'deliveries'] as const).map((kind) => ({
    promise: 'inserts a first version with all its rows',
    fault: `loses the ${kind} of a commit`,
    create: replacing(changing((change) => ({ ...change, [kind]: [] }))),
  })),
  {
    promise: 'accepts only the version after the stored one',
    fault: 'raises a stale version to the next one',
    create: replacing(
      changing((change, { subscriptions }) => {
        const version = (subscriptions.get(change.subscription.id)?.version ?? 0) + 1;
        return { ...change, subscription: { ...change.subscription, version } };
      }),
    ),
  },
  {
    promise: 'stores nothing of three changes when the last one conflicts',
    fault: 'commits each change for itself',
    create: replacing((operations) => ({
      async commit(changes) {
        for (const change of changes) if ((await operations.commit([change])) === 'lost') return 'lost';
        return 'committed';
      },
    })),
  },
  {
    promise: 'stores nothing when a delivery, the last row written, conflicts',
    fault: 'writes the deliveries after the rest',
    create: replacing((operations, tables) => ({
      async commit(changes) {
        const rest = changes.map((change) => ({ ...change, deliveries: [] }));
        if ((await operations.commit(rest)) === 'lost') return 'lost';
        const conflict = tables.deliveries.insert(changes.flatMap(({ deliveries }) => deliveries));
        return conflict === null ? 'committed' : 'lost';
      },
    })),
  },
  ...[
    'accepts one of many racing commits of a version, and stores only its rows',
    'accepts exactly one of many racing first versions of one id',
  ].map((promise) => ({
    promise,
    fault: 'reports a lost commit as committed',
    create: replacing((operations) => ({
      async commit(changes) {
        await operations.commit(changes);
        return 'committed';
      },
    })),
  })),
  {
    promise: 'commits many changes together',
    fault: 'writes no more than ten changes',
    create: replacing((operations) => ({ commit: (changes) => operations.commit(changes.slice(0, 10)) })),
  },
  {
    promise: 'accepts a row that is unique only with another row of its commit',
    fault: 'checks each row against what is stored before the commit',
    create: replacing((operations, { transfers }) => ({
      async commit(changes) {
        const taken = changes
          .flatMap((change) => change.transfers)
          .some(({ id, state, subscriptionId }) => {
            const open = transfers.find('open', subscriptionId);
            return state === 'open' && open !== null && open.id !== id;
          });
        return taken ? 'lost' : operations.commit(changes);
      },
    })),
  },
  {
    promise: 'stores several events of one change with their sequence',
    fault: 'writes one event of a change',
    create: replacing(changing((change) => ({ ...change, events: change.events.slice(0, 1) }))),
  },
  {
    promise: 'lets another subscription take the place of one that ended',
    fault: 'keeps the place of a subscription for ever',
    create: replacing((operations, { subscriptions }) => ({
      async commit(changes) {
        const taken = changes.some(({ subscription: { id, planId, wallet, version } }) =>
          subscriptions
            .all()
            .some((row) => row.planId === planId && row.wallet === wallet && row.id !== id && version === 1),
        );
        return taken ? 'lost' : operations.commit(changes);
      },
    })),
  },
  {
    promise: 'replaces a transfer by its id',
    fault: 'keeps the first state of a transfer',
    create: replacing(
      changing((change, { transfers }) => ({
        ...change,
        transfers: change.transfers.map((row) => transfers.get(row.id) ?? row),
      })),
    ),
  },
  {
    promise: 'replaces a project, and throws when there is none with its id',
    fault: 'inserts a project that it does not have',
    create: replacing((_, tables) => ({
      updateProject: async (project) => void tables.projects.put([project]),
    })),
  },
  {
    promise: 'writes exactly one of many racing next versions of a plan',
    fault: 'overwrites a plan whatever its version',
    create: replacing((_, tables) => ({
      updatePlan: async (plan) => (tables.plans.put([plan]) === null ? 'updated' : 'lost'),
    })),
  },
  {
    promise: 'writes exactly one of many racing next versions of an endpoint',
    fault: 'overwrites an endpoint whatever its version',
    create: replacing((_, tables) => ({
      updateEndpoint: async (row) => (tables.endpoints.put([row]) === null ? 'updated' : 'lost'),
    })),
  },
];

/** Stores that store what a rule forbids, or refuse what none forbids. */
export const BROKEN_RULES: readonly BrokenStore[] = [
  {
    promise: 'stores rows that no rule of uniqueness forbids together',
    fault: 'allows a wallet one checkout of all customers',
    create: replacing((operations) => ({
      async commit(changes) {
        const pending = changes.filter(({ subscription }) => subscription.status === 'pending');
        const wallets = new Set(pending.map(({ subscription }) => subscription.wallet));
        return wallets.size < pending.length ? 'lost' : operations.commit(changes);
      },
    })),
  },
  {
    promise: 'stores rows that no rule of uniqueness forbids together',
    fault: 'counts a reserved checkout as one of its customer',
    create: replacing((operations) => ({
      async commit(changes) {
        const keys = changes.flatMap(({ subscription }) => {
          const { status, wallet, externalId, email } = subscription;
          return status === 'pending' ? [JSON.stringify([wallet, externalId, externalId ?? email])] : [];
        });
        return new Set(keys).size < keys.length ? 'lost' : operations.commit(changes);
      },
    })),
  },
  {
    promise: 'keeps the terms of every commit, and each signature of terms once',
    fault: 'keeps signatures unique among all subscriptions',
    create: replacing((operations, { signedTerms }) => ({
      async commit(changes) {
        const stored = new Set(signedTerms.all().map(({ signature }) => signature));
        const taken = changes.some((change) => stored.has(change.signedTerms?.signature ?? ''));
        return taken ? 'lost' : operations.commit(changes);
      },
    })),
  },
  ...[
    ['two open transfers of a subscription', withoutUnique('transfers', 'open')] as const,
    ['two landed transfers of a period', withoutUnique('transfers', 'landed')] as const,
    [
      'two landed transfers of a subscription without a period',
      withoutUnique('transfers', 'landed'),
    ] as const,
    ['two paid attempts of a period', withoutUnique('attempts', 'paid')] as const,
    ['two running subscriptions of a wallet to a plan', withoutUnique('subscriptions', 'running')] as const,
    ['two checkouts of one external id and wallet', withoutUnique('subscriptions', 'pending')] as const,
    ['two checkouts of one email and wallet', withoutUnique('subscriptions', 'pending')] as const,
    [
      'two checkouts of one wallet without external id and email',
      withoutUnique('subscriptions', 'pending'),
    ] as const,
    [
      'two checkouts of one external id with different emails',
      withoutUnique('subscriptions', 'pending'),
    ] as const,
    [
      'two checkouts of one session and wallet with different emails',
      withoutUnique('subscriptions', 'pending'),
    ] as const,
    ['one payment of a transaction on two transfers', withoutUnique('transfers', 'signature')] as const,
    ['two events of a subscription with one sequence', withoutUnique('events', 'sequence')] as const,
    ['two deliveries of an event to an endpoint', withoutUnique('deliveries', 'eventAndEndpoint')] as const,
    [
      'two attempts with one id',
      replacing(
        changing((change, { attempts }) => {
          const receipt = { receiptNumber: null, receiptPrefix: null };
          attempts.put(change.attempts.map((attempt) => ({ ...attempt, ...receipt })));
          return { ...change, attempts: [] };
        }),
      ),
    ] as const,
    [
      'two events with one id',
      replacing(
        changing((change, { events }) => {
          events.put(change.events);
          return { ...change, events: [] };
        }),
      ),
    ] as const,
    [
      'two deliveries with one id',
      replacing(
        changing((change, { deliveries }) => {
          deliveries.put(change.deliveries);
          return { ...change, deliveries: [] };
        }),
      ),
    ] as const,
  ].map(([never, create]) => ({
    promise: `never stores ${never}`,
    fault: 'does not enforce the rule',
    create,
  })),
];

/** Stores with a fault in projects, keys, plans or endpoints. */
export const BROKEN_PROJECTS: readonly BrokenStore[] = [
  {
    promise: 'keeps the chain that the first of many racing callers claims, for all',
    fault: 'keeps the chain of the last caller',
    create: replacing((_, { chainIdentity }) => ({
      async claimChainIdentity(identity) {
        chainIdentity.put([identity]);
        return identity;
      },
    })),
  },
  {
    promise: 'keeps plan names and slugs unique within a project',
    fault: 'does not keep names unique',
    create: withoutUnique('plans', 'name'),
  },
  {
    promise: 'inserts exactly one of many racing plans with one slug',
    fault: 'does not keep slugs unique',
    create: withoutUnique('plans', 'slug'),
  },
  {
    promise: 'inserts exactly one of many racing endpoints with one URL',
    fault: 'does not keep URLs unique',
    create: withoutUnique('endpoints', 'url'),
  },
  {
    promise: 'refuses a second key with one hash',
    fault: 'does not keep hashes unique',
    create: withoutUnique('apiKeys', 'hash'),
  },
  {
    promise: 'refuses a second key with one hash',
    fault: 'gives the hash of a revoked key away',
    create: replacing((operations, { apiKeys }) => ({
      async insertApiKey(key) {
        const taken = apiKeys.find('hash', key.hash);
        if (taken !== null && taken.revokedAt !== null) apiKeys.put([{ ...taken, hash: taken.id }]);
        await operations.insertApiKey(key);
      },
    })),
  },
  {
    promise: 'throws when the id of a new project, key, plan or endpoint is taken',
    fault: 'replaces the project that has the id',
    create: replacing((_, tables) => ({
      insertProject: async (project) => void tables.projects.put([project]),
    })),
  },
  {
    promise: 'lets a new plan take the names of a failed plan, but not of a closed one',
    fault: 'finds failed plans by their slug',
    create: replacing((_, tables) => ({
      findPlanBySlug: async (projectId, slug) =>
        tables.plans.all().find((row) => row.projectId === projectId && row.slug === slug) ?? null,
    })),
  },
  {
    promise: 'lets a new plan take the names of a failed plan, but not of a closed one',
    fault: 'refuses a failed plan whose names are taken',
    create: replacing((operations) => ({
      insertPlan: async (plan) =>
        plan.status === 'failed' && (await operations.findPlanBySlug(plan.projectId, plan.slug)) !== null
          ? 'slug'
          : operations.insertPlan(plan),
    })),
  },
  {
    promise: 'finds a customer by wallet, external id and email, and only within the project',
    fault: 'lists for access the subscriptions to one of the plans with a slug',
    create: replacing((operations) => ({
      async listForAccess(projectId, customer, slug) {
        const inputs = await operations.listForAccess(projectId, customer, slug);
        const present = slug === null ? null : await operations.findPlanBySlug(projectId, slug);
        return inputs.filter(({ plan }) => present === null || plan.id === present.id);
      },
    })),
  },
  {
    promise: 'never moves lastUsedAt of a key back',
    fault: 'takes the last call for the latest use',
    create: replacing((_, { apiKeys }) => ({
      async touchApiKey(id, at) {
        const key = apiKeys.get(id);
        if (key !== null) apiKeys.put([{ ...key, lastUsedAt: at }]);
      },
    })),
  },
  {
    promise: 'keeps the latest of many racing uses of a key, and ignores an unknown key',
    fault: 'writes a use by what it read before another one was written',
    create: replacing((_, { apiKeys }) => ({
      async touchApiKey(id, at) {
        const key = apiKeys.get(id);
        await Promise.resolve();
        if (key !== null && (key.lastUsedAt === null || key.lastUsedAt < at))
          apiKeys.put([{ ...key, lastUsedAt: at }]);
      },
    })),
  },
  {
    promise: 'does not find a revoked key, and keeps the instant of the first revocation',
    fault: 'revokes a key again',
    create: replacing((_, { apiKeys }) => ({
      async revokeApiKey(id, at) {
        const key = apiKeys.get(id);
        if (key !== null) apiKeys.put([{ ...key, revokedAt: at }]);
      },
    })),
  },
];
