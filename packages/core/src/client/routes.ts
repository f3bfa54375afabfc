import type * as z from 'zod';

import type { OPERATIONS } from '../operations/table.js';
import type { walletOperations } from '../operations/wallets/operations.js';
import type { Page } from './listed.js';

/** How the client calls one operation. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Below the address of the service. Its `{parameters}`, when it has any, are the first arguments of the function. */
  readonly path: string;
  /** Whether the function takes an input: the query of a GET, the body of a POST. */
  readonly input: boolean;
  /** Whether the answer is a page of a list. */
  readonly pages: boolean;
  /** Whether the answer is a list as a whole, without pages. */
  readonly whole?: boolean;
  /** How long one try may take. */
  readonly timeoutMs: number;
}

const READ = { method: 'GET', input: false, pages: false, timeoutMs: 30_000 } as const;
const SEARCH = { ...READ, input: true } as const;
const LIST = { ...SEARCH, pages: true } as const;
const ACTION = { ...READ, method: 'POST' } as const;
const CREATE = { ...ACTION, input: true } as const;
/** A submit or a confirm waits up to 90 seconds for the chain. The other ten are for the network. */
const SETTLE = { ...CREATE, timeoutMs: 100_000 } as const;

/**
 * The routes of the contract and those of wallets, by the names of their operations. The bundle of a client must not contain the service, so this
 * table repeats what a client needs of the operations. It does not compile unless the two agree.
 */
export const ROUTES = {
  access: {
    check: { ...SEARCH, path: '/v1/access' },
  },
  projects: {
    retrieve: { ...READ, path: '/v1/project' },
  },
  plans: {
    list: { ...READ, path: '/v1/plans' },
    retrieve: { ...READ, path: '/v1/plans/{slug}' },
  },
  subscriptions: {
    create: { ...CREATE, path: '/v1/subscriptions' },
    transaction: { ...ACTION, path: '/v1/subscriptions/{id}/transaction' },
    submit: { ...SETTLE, path: '/v1/subscriptions/{id}/submit' },
    list: { ...LIST, path: '/v1/subscriptions' },
    retrieve: { ...READ, path: '/v1/subscriptions/{id}' },
    attempts: { ...LIST, path: '/v1/subscriptions/{id}/attempts' },
    retry: { ...ACTION, path: '/v1/subscriptions/{id}/retry' },
    cancel: { ...ACTION, path: '/v1/subscriptions/{id}/cancel' },
    confirmCancel: { ...SETTLE, path: '/v1/subscriptions/{id}/cancel/confirm' },
    resume: { ...ACTION, path: '/v1/subscriptions/{id}/resume' },
    confirmResume: { ...SETTLE, path: '/v1/subscriptions/{id}/resume/confirm' },
    close: { ...ACTION, path: '/v1/subscriptions/{id}/close' },
    confirmClose: { ...SETTLE, path: '/v1/subscriptions/{id}/close/confirm' },
  },
  events: {
    list: { ...LIST, path: '/v1/events' },
    retrieve: { ...READ, path: '/v1/events/{id}' },
  },
  wallets: {
    subscriptions: { ...LIST, path: '/wallet/v1/{wallet}/subscriptions' },
    transaction: { ...CREATE, path: '/wallet/v1/{wallet}/subscriptions/{id}/transaction' },
    submit: { ...CREATE, path: '/wallet/v1/{wallet}/subscriptions/{id}/submit' },
    confirm: { ...SETTLE, path: '/wallet/v1/{wallet}/subscriptions/{id}/confirm' },
  },
} as const satisfies RoutesOf<
  Extract<(typeof OPERATIONS)[number], { readonly scope: 'project' }> | (typeof walletOperations)[number]
>;

/** What the table must say of an operation. */
interface RouteOf<
  One extends { readonly path: string; readonly input: unknown; readonly output: z.ZodType },
> extends Route {
  readonly path: One['path'];
  readonly input: One['input'] extends null ? false : true;
  readonly pages: z.output<One['output']> extends Page ? true : false;
}

/** The table that operations with a route ask for: `group.member` is a member of a group. */
type RoutesOf<
  One extends {
    readonly name: string;
    readonly path: string;
    readonly input: unknown;
    readonly output: z.ZodType;
  },
> = {
  readonly [Group in GroupOf<One['name']>]: {
    readonly [
      Found in Extract<One, { readonly name: `${Group}.${string}` }> as MemberOf<Found['name']>
    ]: RouteOf<Found>;
  };
};

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : never;
type MemberOf<Name> = Name extends `${string}.${infer Member}` ? Member : never;
