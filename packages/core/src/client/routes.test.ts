import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ProjectBilling } from '../billing.js';
import { CONTRACT_OPERATIONS, WALLET_OPERATIONS } from '../operations/table.js';
import type { Client, ClientAccess, ClientWallets } from './client.js';
import { ROUTES, type Route } from './routes.js';

const routes = Object.entries(ROUTES as Record<string, Record<string, Route>>).flatMap(([group, members]) =>
  Object.entries(members).map(([member, route]) => ({ name: `${group}.${member}`, ...route })),
);

describe('the routes of the client', () => {
  it('are those of the operations, each with its method, path and input', () => {
    const facts = (one: { name: string; method: string; path: string }, input: boolean) =>
      `${one.name} ${one.method} ${one.path} ${input ? 'input' : 'no input'}`;
    expect(routes.map((route) => facts(route, route.input)).sort()).toEqual(
      [...CONTRACT_OPERATIONS, ...WALLET_OPERATIONS]
        .map((operation) => facts(operation, operation.input !== null))
        .sort(),
    );
  });

  it('are iterable lists where the operation answers pages', () => {
    expect(routes.filter(({ pages }) => pages).map(({ name }) => name)).toEqual([
      'subscriptions.list',
      'subscriptions.attempts',
      'events.list',
      'wallets.subscriptions',
    ]);
  });

  it('leave a submit and a confirm the 90 seconds that they may wait for the chain', () => {
    const long = routes.filter(({ timeoutMs }) => timeoutMs > 90_000).map(({ name }) => name);
    expect(long).toEqual([
      'subscriptions.submit',
      'subscriptions.confirmCancel',
      'subscriptions.confirmResume',
      'subscriptions.confirmClose',
      'wallets.confirm',
    ]);
  });

  it('are all functions of the client, which stands in for a project in process', () => {
    expectTypeOf<keyof Client>().toEqualTypeOf<Exclude<keyof typeof ROUTES, 'projects'> | 'retrieve'>();
    expectTypeOf<keyof ClientAccess>().toEqualTypeOf<keyof typeof ROUTES.access>();
    expectTypeOf<keyof ClientWallets>().toEqualTypeOf<keyof typeof ROUTES.wallets>();
    expectTypeOf<keyof Client['plans']>().toEqualTypeOf<keyof typeof ROUTES.plans>();
    expectTypeOf<keyof Client['subscriptions']>().toEqualTypeOf<keyof typeof ROUTES.subscriptions>();
    expectTypeOf<keyof Client['events']>().toEqualTypeOf<keyof typeof ROUTES.events>();
    expectTypeOf<Client>().toExtend<
      Pick<ProjectBilling, 'retrieve' | 'access' | 'events'> & {
        plans: Pick<ProjectBilling['plans'], 'list' | 'retrieve'>;
        subscriptions: Pick<ProjectBilling['subscriptions'], keyof typeof ROUTES.subscriptions>;
      }
    >();
  });
});
