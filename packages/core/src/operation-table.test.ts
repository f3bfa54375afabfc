import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { BuildAnswer } from './contract/build.js';
import { ERRORS } from './contract/errors.js';
import { serviceFixture } from './http/tests/fixtures.js';
import {
  CONTRACT_OPERATIONS,
  MANAGED_OPERATIONS,
  OPERATIONS,
  PROJECT_OPERATIONS,
  SERVICE_OPERATIONS,
  SESSION_OPERATIONS,
} from './operation-table.js';

/** The getters of an object's class, with their values. */
function getFrom(object: object): Record<string, unknown> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(object));
  return Object.fromEntries(
    names.filter((name) => name !== 'constructor').map((name) => [name, Reflect.get(object, name)]),
  );
}

const NAMES = OPERATIONS.map(({ name }) => name);

describe('the table of operations', () => {
  it('gives every operation a unique name of a group and a member', () => {
    expect(new Set(NAMES).size).toBe(NAMES.length);
    for (const name of NAMES) expect(name).toMatch(/^[a-z]+\.[a-zA-Z]+$/);
  });

  it('has every function of billing, of the service and of a project', () => {
    const { projects, secrets, management, ...billing } = serviceFixture().billing;
    const of = getFrom(billing.project('proj_1'));
    const {
      retrieve,
      detail,
      update,
      look,
      updateLook,
      seller,
      updateSeller,
      delete: remove,
      ...project
    } = of;
    const ofProject = {
      projects: { retrieve, detail, update, look, updateLook, seller, updateSeller, delete: remove },
    };
    const members = [{ projects, secrets, management }, ofProject, project].flatMap((part) =>
      Object.entries(part).flatMap(([group, functions]) =>
        Object.keys(functions as object).map((member) => `${group}.${member}`),
      ),
    );
    expect(members.toSorted()).toEqual(NAMES.toSorted());
  });

  it('opens with an API key no operation that only the operator may call', () => {
    const contract = new Set(CONTRACT_OPERATIONS.map(({ name }) => name));
    const sessions = new Set(SESSION_OPERATIONS.map(({ name }) => name));
    for (const { name, scope, path } of OPERATIONS) {
      expect(contract.has(name) || sessions.has(name), name).toBe(scope === 'project');
      expect(contract.has(name), name).toBe(path.startsWith('/v1/'));
      expect(sessions.has(name), name).toBe(/^\/(checkout|portal)\/v1\//.test(path));
      expect(path.startsWith('/manage/v1/'), name).toBe(scope === 'management');
    }
    expect(contract.has('projects.create')).toBe(false);
  });

  // checkout-sessions#kinds-of-sessions
  it('has the checkouts, the portal and the links outside of the contract', () => {
    expect(SESSION_OPERATIONS.map(({ name, method, path }) => `${name} ${method} ${path}`)).toEqual([
      'checkouts.create POST /checkout/v1/sessions',
      'checkouts.retrieve GET /checkout/v1/sessions/{id}',
      'portal.create POST /portal/v1/sessions',
      'links.create POST /checkout/v1/links',
      'links.list GET /checkout/v1/links',
      'links.end POST /checkout/v1/links/{id}/end',
    ]);
  });

  // management#management-routes
  it('serves every operation under /manage/v1, each at a path of its own', () => {
    expect(MANAGED_OPERATIONS.map(({ name }) => name)).toEqual(NAMES);
    const routes = MANAGED_OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '*')}`);
    expect(new Set(routes).size).toBe(routes.length);
    for (const { path } of MANAGED_OPERATIONS) expect(path).toMatch(/^\/manage\/v1\//);
    const paths = MANAGED_OPERATIONS.filter(({ scope }) => scope === 'project').map(({ path }) => path);
    for (const path of paths)
      expect(path).toMatch(/^\/manage\/v1\/projects\/\{project\}(\/checkout|\/portal)?\/v1\//);
  });

  it('has parameters exactly as its path has, and the project first', () => {
    for (const { name, scope, path, parameters } of OPERATIONS) {
      const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter);
      expect(parameters, name).toEqual(scope === 'project' ? ['project', ...inPath] : inPath);
    }
    for (const { name, parameters } of PROJECT_OPERATIONS) expect(parameters[0], name).toBe('project');
    for (const { name, parameters } of SERVICE_OPERATIONS) expect(parameters, name).not.toContain('project');
  });

  it('has a code for a missing resource exactly when an operation names a resource of a project', () => {
    for (const { name, parameters, notFound } of OPERATIONS) {
      const names = parameters.some((parameter) => parameter !== 'project');
      expect(notFound !== null, name).toBe(names);
    }
  });

  it('lists only codes of the contract, each once', () => {
    for (const { name, errors } of OPERATIONS) {
      expect(new Set<string>(errors).size, name).toBe(errors.length);
      for (const code of errors) expect(ERRORS, name).toHaveProperty(code);
    }
  });

  // management#retry-by-management
  it('has one retry, for the holder of a key and for the operator', () => {
    expect(NAMES.filter((name) => name.includes('retry'))).toEqual(['subscriptions.retry']);
  });

  // management#no-cancel-for-a-customer
  it('cancels, resumes and closes only by a transaction that the wallet signs', () => {
    const actions = OPERATIONS.filter(({ name }) => /\.(cancel|resume|close)$/.test(name));
    expect(actions.map(({ name }) => name)).toEqual([
      'subscriptions.cancel',
      'subscriptions.resume',
      'subscriptions.close',
    ]);
    for (const { name, output } of actions) expect(output, name).toBe(BuildAnswer);
    const management = OPERATIONS.filter(({ scope }) => scope === 'management');
    const ofSubscriptions = management.filter(({ name }) => name.startsWith('subscriptions.'));
    const changing = ofSubscriptions.filter(({ method }) => method !== 'GET').map(({ name }) => name);
    // The operation corrects the customer's names, and nothing on chain.
    expect(changing).toEqual(['subscriptions.update']);
  });

  // management#management-fields-and-errors
  it('describes inputs and results of management operations in snake_case', () => {
    for (const { name, input, output } of OPERATIONS) {
      for (const schema of [input, output]) {
        const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
        for (const field of fields) expect(field, name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      }
    }
  });
});
