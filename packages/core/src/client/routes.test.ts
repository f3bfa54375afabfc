import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ProjectBilling } from '../billing.js';
import type { Client } from './client.js';
import type { Route } from './route.js';
import { CONTRACT_ROUTES, PROJECT_ROUTES, SESSION_ROUTES, WALLET_ROUTES } from './routes.js';

const ROUTES = [...CONTRACT_ROUTES, ...SESSION_ROUTES, ...WALLET_ROUTES];

const namesOf = (routes: readonly Route[]) => routes.map(({ name }) => name);

describe('the routes of the client', () => {
  it('are iterable lists where the operation answers pages', () => {
    expect(namesOf(ROUTES.filter(({ answer }) => answer === 'page'))).toEqual([
      'subscriptions.list',
      'subscriptions.attempts',
      'events.list',
      'wallets.subscriptions',
    ]);
  });

  it('leave a submit and a confirm the 90 seconds that they may wait for the chain', () => {
    expect(namesOf([...ROUTES, ...PROJECT_ROUTES].filter(({ waits }) => waits))).toEqual([
      'subscriptions.submit',
      'subscriptions.confirmCancel',
      'subscriptions.confirmResume',
      'subscriptions.confirmClose',
      'wallets.confirm',
    ]);
  });

  it('are the functions of the client, which stands in for a project in process', () => {
    expectTypeOf<keyof Client>().toEqualTypeOf<
      | 'retrieve'
      | 'access'
      | 'plans'
      | 'subscriptions'
      | 'events'
      | 'checkouts'
      | 'portal'
      | 'links'
      | 'wallets'
    >();
    expectTypeOf<Client>().toExtend<
      Pick<ProjectBilling, 'retrieve' | 'access' | 'events' | 'checkouts' | 'portal' | 'links'> & {
        plans: Pick<ProjectBilling['plans'], keyof Client['plans']>;
        subscriptions: Pick<ProjectBilling['subscriptions'], keyof Client['subscriptions']>;
      }
    >();
  });
});
