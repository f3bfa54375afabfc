import type { ClaimedSubscription, Subscription } from '@subrail/core/ports';
import { replacing, type BrokenStore } from './break-store.js';

/** A store that claims what `pick` takes of all that is due, soonest first. */
const claiming = (pick: (due: readonly Subscription[], limit: number) => readonly Subscription[]) =>
  replacing((_, { subscriptions, plans, projects }) => ({
    async claimDue(now, limit, leaseMs) {
      const wakeAt = new Date(now.getTime() + leaseMs);
      const due = subscriptions.all().filter((row) => row.wakeAt !== null && row.wakeAt <= now);
      const soonest = due.toSorted((a, b) => Number(a.wakeAt) - Number(b.wakeAt));
      const claimed = pick(soonest, limit).flatMap((row) => {
        const [plan, project] = [plans.get(row.planId), projects.get(row.projectId)];
        const subscription = { ...row, wakeAt, version: row.version + 1 };
        return plan === null || project === null ? [] : [{ subscription, plan, project, transfer: null }];
      });
      subscriptions.put(claimed.map(({ subscription }) => subscription));
      return { claimed, unreadable: [] };
    },
  }));

/** Stores that lease or settle something twice. */
export const BROKEN_CLAIMS: readonly BrokenStore[] = [
  {
    promise: 'claims due subscriptions, soonest first, up to the limit',
    fault: 'ignores the limit',
    create: replacing((operations) => ({
      claimDue: (now, _limit, leaseMs) => operations.claimDue(now, 1_000, leaseMs),
    })),
  },
  {
    promise: 'claims due subscriptions, soonest first, up to the limit',
    fault: 'returns them in the reverse order',
    create: replacing((operations) => ({
      async claimDue(...args) {
        const { claimed, unreadable } = await operations.claimDue(...args);
        return { claimed: claimed.toReversed(), unreadable };
      },
    })),
  },
  {
    promise: 'shares a claim between the projects when more are due than its limit',
    fault: 'claims the soonest of all projects',
    create: claiming((due, limit) => due.slice(0, limit)),
  },
  {
    promise:
      'shares a claim only when more are due than its limit, takes no more than that, and leaves none alone',
    fault: 'gives the shares to the projects that are due last',
    create: claiming((due, limit) => {
      const soonestOfEach = [...new Map(due.toReversed().map((row) => [row.projectId, row])).values()];
      return due.length > limit ? soonestOfEach.slice(0, limit) : due;
    }),
  },
  {
    promise:
      'shares a claim only when more are due than its limit, takes no more than that, and leaves none alone',
    fault: 'rounds the share of a project down, so that many projects get nothing',
    create: replacing((operations, { subscriptions }) => ({
      claimDue(now, limit, leaseMs) {
        const due = subscriptions.all().filter((row) => row.wakeAt !== null && row.wakeAt <= now);
        const projects = new Set(due.map(({ projectId }) => projectId)).size;
        return operations.claimDue(now, due.length > limit && limit < projects ? 0 : limit, leaseMs);
      },
    })),
  },
  {
    promise: 'lists ends of access, soonest first, up to the limit, leased ones too',
    fault: 'leaves out those that are leased',
    create: replacing((operations) => ({
      async listAccessEnds(now, limit) {
        const { ended, unreadable } = await operations.listAccessEnds(now, limit);
        const isFree = ({ subscription: { wakeAt } }: ClaimedSubscription) =>
          wakeAt === null || wakeAt <= now;
        return { ended: ended.filter(isFree), unreadable };
      },
    })),
  },
  {
    promise: 'wakes the running subscriptions of a plan, at most the limit, as new versions',
    fault: 'wakes all of them, whatever the limit',
    create: replacing((operations) => ({
      wakeSubscribers: (planId, at) => operations.wakeSubscribers(planId, at, 1_000),
    })),
  },
  {
    promise: 'claims plans whose check is due, soonest first, until their lease ends',
    fault: 'claims plans without a lease',
    create: replacing((operations) => ({
      claimPlanChecks: (now, limit) => operations.claimPlanChecks(now, limit, 0),
    })),
  },
  {
    promise: 'claims plans whose check is due, soonest first, until their lease ends',
    fault: 'sets a plan aside that it can read',
    create: replacing((operations) => ({
      async claimPlanChecks(...given) {
        const { claimed } = await operations.claimPlanChecks(...given);
        const aside = claimed.slice(1).map(({ id }) => ({ id, error: new Error('It cannot be read.') }));
        return { claimed: claimed.slice(0, 1), unreadable: aside };
      },
    })),
  },
  {
    promise: 'gives each plan that is due to exactly one of many racing workers',
    fault: 'lets another worker in between the read of the plans and the lease',
    create: replacing((operations, { plans }) => ({
      async claimPlanChecks(now, limit, leaseMs) {
        const due = plans.all().filter(({ nextCheckAt }) => nextCheckAt !== null && nextCheckAt <= now);
        await Promise.resolve();
        await operations.claimPlanChecks(now, limit, leaseMs);
        return { claimed: due.slice(0, limit), unreadable: [] };
      },
    })),
  },
  {
    promise: 'schedules the checks of plans, and changes nothing else',
    fault: 'raises the version of a plan',
    create: replacing((_, { plans }) => ({
      async schedulePlanChecks(ids, nextCheckAt) {
        const found = ids.flatMap((id) => plans.get(id) ?? []);
        plans.put(found.map((plan) => ({ ...plan, nextCheckAt, version: plan.version + 1 })));
      },
    })),
  },
  {
    promise: 'does not claim a leased subscription until its lease ends',
    fault: 'claims without a lease',
    create: replacing((operations) => ({ claimDue: (now, limit) => operations.claimDue(now, limit, 0) })),
  },
  ...(
    [
      'moves wakeAt to the end of the lease and increments the version',
      'refuses the commit of a worker that outlived its lease',
      'refuses the commit of a caller that read the subscription before the claim',
    ] as const
  ).map((promise) => ({
    promise,
    fault: 'claims without raising the version',
    create: replacing((operations, { subscriptions }) => ({
      async claimDue(now, limit, leaseMs) {
        const { claimed } = await operations.claimDue(now, limit, leaseMs);
        const lowered = claimed.map((claim) => ({
          ...claim,
          subscription: { ...claim.subscription, version: claim.subscription.version - 1 },
        }));
        subscriptions.put(lowered.map(({ subscription }) => subscription));
        return { claimed: lowered, unreadable: [] };
      },
    })),
  })),
  {
    promise: 'gives each due subscription to exactly one of many racing workers',
    fault: 'lets another worker in between the read and the lease',
    create: replacing((operations, tables) => ({
      async claimDue(now, limit, leaseMs) {
        const due = tables.subscriptions.all().filter(({ wakeAt }) => wakeAt !== null && wakeAt <= now);
        await Promise.resolve();
        const claims = await operations.claimDue(now, limit, leaseMs);
        if (claims.claimed.length > 0) return claims;
        const claimed = due.slice(0, limit).flatMap((subscription) => {
          const plan = tables.plans.get(subscription.planId);
          const project = tables.projects.get(subscription.projectId);
          return plan === null || project === null ? [] : [{ subscription, plan, project, transfer: null }];
        });
        return { claimed, unreadable: [] };
      },
    })),
  },
  {
    promise: 'returns each claim with its plan, its project and its open transfer',
    fault: 'forgets the open transfer',
    create: replacing((operations) => ({
      async claimDue(...args) {
        const { claimed, unreadable } = await operations.claimDue(...args);
        return { claimed: claimed.map((claim) => ({ ...claim, transfer: null })), unreadable };
      },
    })),
  },
  {
    promise: 'returns the earliest wakeAt of all subscriptions',
    fault: 'returns the wakeAt of the subscription that was stored last',
    create: replacing((_, { subscriptions }) => ({
      nextWakeAt: async () => subscriptions.all().at(-1)?.wakeAt ?? null,
    })),
  },
];
