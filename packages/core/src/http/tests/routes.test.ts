import { describe, expect, it } from 'vitest';

import { ERRORS } from '../../contract/errors.js';
import { codesOf } from '../../operations/operation.js';
import { CONTRACT_OPERATIONS, SESSION_OPERATIONS } from '../../operation-table.js';

describe('the table of routes', () => {
  it.each(CONTRACT_OPERATIONS.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s names each of its codes once, and only codes of the contract',
    (_, route) => {
      const codes = codesOf(route);
      expect(new Set(codes).size).toBe(codes.length);
      for (const code of codes) expect(ERRORS).toHaveProperty(code);
    },
  );

  it.each(CONTRACT_OPERATIONS.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s has a code for a missing resource exactly when its path has a parameter',
    (_, route) => {
      expect(route.notFound !== null).toBe(route.path.includes('{'));
    },
  );

  const operationNamed = (name: string) => {
    const found = CONTRACT_OPERATIONS.find((operation) => operation.name === name);
    if (found === undefined) throw new Error(`There is no operation ${name}.`);
    return found;
  };

  // errors#missing-resource-codes
  it('refuses an unknown resource by the code of its kind', () => {
    const codes = [...CONTRACT_OPERATIONS, ...SESSION_OPERATIONS].flatMap(({ path, notFound }) =>
      path.includes('{') ? [`${path.split('/v1/')[1]?.split('/')[0]} ${notFound}`] : [],
    );
    expect([...new Set(codes)]).toEqual([
      'plans plan_not_found',
      'subscriptions subscription_not_found',
      'events event_not_found',
      'sessions session_not_found',
      'links link_not_found',
    ]);
  });

  // errors#session-codes
  it('answers the codes of sessions and links on no route of the contract', () => {
    const codes = CONTRACT_OPERATIONS.flatMap((operation) => codesOf(operation));
    const ofSessions = Object.keys(ERRORS).filter((code) => /session|link_|logged_in/.test(code));
    expect(ofSessions).toHaveLength(8);
    for (const code of ofSessions) expect(codes).not.toContain(code);
  });

  // errors#plan-not-found
  it('can answer plan_not_found wherever a plan is named by its slug', () => {
    const operations = CONTRACT_OPERATIONS.filter((operation) =>
      codesOf(operation).includes('plan_not_found'),
    );
    expect(operations.map(({ name }) => name)).toEqual([
      'access.check',
      'plans.retrieve',
      'subscriptions.create',
      'subscriptions.list',
    ]);
  });

  // errors#refusals-left-to-submit
  it('leaves to submit the refusals about what the wallet already has on the plan', () => {
    const create = codesOf(operationNamed('subscriptions.create'));
    const transaction = codesOf(operationNamed('subscriptions.transaction'));
    expect(create.filter((code) => !transaction.includes(code)).toSorted()).toEqual([
      'already_subscribed',
      'payment_pending',
      'pending_cap_reached',
      'plan_not_found',
      'plan_not_on_chain',
      'subscription_cancelled',
      'subscription_stopped',
      'subscription_terms_changed',
      // A change names a wallet only when it is created.
      'wallet_mismatch',
    ]);
  });

  // errors#refusals-of-a-submit
  it('has no codes on submit for a plan, token or receiver that changed since the transaction was built', () => {
    const codes = codesOf(operationNamed('subscriptions.submit'));
    const wrong = [/^plan_/, /^mint_/, /^receiver_/];
    expect(codes.filter((code) => wrong.some((pattern) => pattern.test(code)))).toEqual([]);
    expect(codes).toEqual(
      expect.arrayContaining(['terms_changed', 'transaction_refused', 'already_subscribed']),
    );
  });

  // errors#comeback-codes
  it('can answer every comeback code wherever a checkout is built or submitted', () => {
    for (const name of ['subscriptions.create', 'subscriptions.transaction', 'subscriptions.submit']) {
      expect(codesOf(operationNamed(name))).toEqual(
        expect.arrayContaining(['comeback_in_flight', 'comeback_landed', 'comeback_period_rolling']),
      );
    }
  });

  // errors#change-codes
  it('can answer the codes of a change wherever one is made, and change_in_flight to what would meet it', () => {
    for (const name of ['subscriptions.create', 'subscriptions.transaction', 'subscriptions.submit'])
      expect(codesOf(operationNamed(name))).toEqual(
        expect.arrayContaining(['not_replaceable', 'change_in_flight']),
      );
    for (const name of ['subscriptions.cancel', 'subscriptions.confirmCancel', 'subscriptions.retry'])
      expect(codesOf(operationNamed(name))).toContain('change_in_flight');
  });

  // errors#resume-and-close-codes
  it('can answer subscription_ended to a resume and close_too_early to a close', () => {
    expect(codesOf(operationNamed('subscriptions.resume'))).toContain('subscription_ended');
    expect(codesOf(operationNamed('subscriptions.close'))).toContain('close_too_early');
  });

  // requests#project-scope
  it('has no project in any path, because the API key identifies it', () => {
    for (const { path, parameters } of CONTRACT_OPERATIONS) {
      expect(path).not.toMatch(/project[^/]*\/|\{project/);
      expect(parameters[0]).toBe('project');
    }
  });
});
