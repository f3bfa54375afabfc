import type { KeyPairSigner } from '@solana/kit';
import { createCustomerHandler, createHandler, type CustomerHandlerOptions } from '@subrail/core';
import type { FullStore } from '@subrail/core/ports';
import { withCapabilities } from '@subrail/core/testing';
import { type ApiAnswer, openTestWorld, PRICE, statusAndCode, type TestWorld } from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { appOf, pageOf, pageOfApp, visit } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
});

const codeOf = ({ body }: ApiAnswer) => body['code'];
const READER = { external_id: 'reader' };

// portal#customers-of-an-app
describe('a customer of an app', () => {
  it('checks out, sees what is his, and manages it', async () => {
    const page = pageOfApp(world, { external_id: ' reader ', email: 'Reader@Example.test' });
    expect(await page.view()).toMatchObject({
      ...{ id: null, kind: 'app', state: 'open', expires_at: null },
      plans: [{ slug: 'pro', offered: true }],
      customer: { known: true, email: 'reader@example.test' },
      subscriptions: [],
    });
    const id = await page.pay(wallet);
    expect(await page.view()).toMatchObject({
      state: 'open',
      subscriptions: [{ id, external_id: 'reader', email: 'reader@example.test', actions: ['cancel'] }],
    });
    expect(await page.act(wallet, id, 'cancel')).toMatchObject({ status: 201 });
    expect((await page.call('GET', `/subscriptions/${id}`)).body).toMatchObject({ status: 'cancelled' });
    expect(await page.act(wallet, id, 'resume')).toMatchObject({ status: 201 });
    const [listed] = (await page.call('GET', '/subscriptions')).body['data'] as { id: string }[];
    expect(listed?.id).toBe(id);
  });

  it('by email is that of the email without an external id', async () => {
    const both = await pageOfApp(world, { ...READER, email: 'a@example.test' }).pay(wallet);
    const page = pageOfApp(world, { email: 'A@example.test' });
    const id = await page.pay(await world.wallet(PRICE));
    expect(await page.view()).toMatchObject({ subscriptions: [{ id }], has_more: false });
    expect(codeOf(await page.call('GET', `/subscriptions/${both}`))).toBe('subscription_not_found');
    const byId = pageOfApp(world, READER);
    expect(codeOf(await byId.call('GET', `/subscriptions/${id}`))).toBe('subscription_not_found');
  });

  it('is offered the plans that the app names, and what the customer has', async () => {
    await world.publishPlan(world.projectId, 'team');
    const page = pageOfApp(world, READER, appOf(world, { plans: ['team', 'none'] }));
    expect(await page.view()).toMatchObject({ plans: [{ slug: 'team', offered: true }] });
    const create = { plan: 'pro', wallet: wallet.address };
    expect(statusAndCode(await page.call('POST', '/subscriptions', create))).toBe('404 plan_not_found');
    await world.subscribe(wallet, 'reader');
    expect(await page.view()).toMatchObject({ plans: [{ slug: 'team' }, { slug: 'pro', offered: true }] });
    const email = { plan: 'team', wallet: wallet.address, email: 'other@example.test' };
    expect(codeOf(await page.call('POST', '/subscriptions', email))).toBe('invalid_request');
  });

  it('who is not logged in is told so, and sees nothing', async () => {
    const page = pageOfApp(world, null);
    for (const [method, path] of [
      ['GET', '/session'],
      ['GET', '/subscriptions/sub_1'],
      ['POST', '/subscriptions'],
    ] as const)
      expect(statusAndCode(await page.call(method, path))).toBe('401 not_logged_in');
  });

  it('reaches nothing of a session, and opens no link, at the address of the app', async () => {
    const page = pageOfApp(world, READER);
    expect(statusAndCode(await page.call('POST', '/links/lnk_1/sessions'))).toBe('404 not_found');
    expect(statusAndCode(await page.call('GET', '/nothing'))).toBe('404 not_found');
  });

  it('is served at any path that the app chooses, and named by an id alone', async () => {
    const id = await pageOfApp(world, READER).pay(wallet);
    const handler = appOf(world, { customer: () => 'reader' });
    for (const start of ['', '/api/billing', '/subscriptions', '/session/subscriptions']) {
      const get = async (path: string) =>
        (await handler(new Request(`https://app.example${start}${path}`))).json();
      expect(await get('/session')).toMatchObject({ kind: 'app', subscriptions: [{ id }] });
      expect(await get(`/subscriptions/${id}`)).toMatchObject({ id });
      expect(await get(`/subscriptions/${id}/attempts`)).toMatchObject({ data: [expect.anything()] });
    }
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'The request is missing'],
    ['no customer', {}, 'an external_id, an email, or both'],
    ['null fields', { external_id: null, email: null }, 'an external_id, an email, or both'],
    ['a number', { external_id: 42 }, '"external_id" must be a string'],
    ['an empty id', { external_id: ' ' }, '"external_id" must be 1 to 255 characters'],
    ['no email', { email: 'nobody' }, '"email" must be an email address'],
  ])('is a fault of the app, which its developer is told, when it returns %s', async (_, returned, why) => {
    const handler = appOf(world, { customer: (() => returned) as CustomerHandlerOptions['customer'] });
    const answer = await pageOfApp(world, READER, handler).call('GET', '/session');
    expect(statusAndCode(answer)).toBe('500 internal_error');
    expect(JSON.stringify(answer.body)).not.toContain('external_id');
    expect(world.log.errors.join()).toContain('The function customer of createCustomerHandler must return');
    expect(world.log.errors.join()).toContain(why);
    world.forgiveErrors('Something went wrong');
  });

  it('is answered nothing of what the app throws, whatever that is', async () => {
    for (const thrown of [
      new Error('password=hunter2'),
      'hunter2',
      Object.assign(new Error('hunter2'), { name: 'ServiceError', code: 'plan_ended', status: 409 }),
    ]) {
      const customer = () => {
        throw thrown as Error;
      };
      const handler = appOf(world, { customer });
      const answer = await pageOfApp(world, READER, handler).call('GET', '/session');
      expect(statusAndCode(answer)).toBe('500 internal_error');
      expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    }
    for (const [project, why] of [
      ['proj_gone', 'There is no project "proj_gone"'],
      ['', 'such as SUBRAIL_PROJECT?'],
    ] as const) {
      const page = pageOfApp(world, READER, appOf(world, { project }));
      expect(statusAndCode(await page.call('GET', '/session'))).toBe('500 internal_error');
      expect(world.log.errors.join()).toContain(why);
    }
    world.forgiveErrors('Something went wrong');
  });

  it('needs options that can be used', () => {
    const make = (options: object) => () =>
      createCustomerHandler(world.billing, options as unknown as CustomerHandlerOptions);
    const customer = () => null;
    expect(make({ customer })).toThrow(/needs project/);
    expect(make({ project: world.projectId })).toThrow(/needs customer/);
    expect(make({ project: world.projectId, customer, plans: 'pro' })).toThrow(/list of slugs/);
  });
});

// checkout-sessions#store-without-sessions
describe('a store without sessions', () => {
  it('serves the customers of an app, and refuses every route of a session', async () => {
    const { url } = await world.billing.project(world.projectId).checkouts.create({ plan: 'pro' });
    const plain = world.host(withCapabilities(world.store, []) as FullStore);
    const page = pageOfApp(
      world,
      READER,
      createCustomerHandler(plain.billing, {
        project: world.projectId,
        customer: () => READER,
      }),
    );
    const id = await page.pay(wallet);
    expect(await page.view()).toMatchObject({ subscriptions: [{ id }] });
    expect(await page.act(wallet, id, 'cancel')).toMatchObject({ status: 201 });
    const served = createHandler(plain.billing, { customerRoutes: true });
    const session = pageOf(world, url, served);
    for (const [method, path] of [
      ['GET', '/session'],
      ['POST', '/subscriptions'],
      ['GET', `/subscriptions/${id}`],
    ] as const)
      expect(statusAndCode(await session.call(method, path))).toBe('501 not_supported');
    expect(statusAndCode(await session.call('GET', '/session', undefined, { headers: {} }))).toBe(
      '501 not_supported',
    );
    expect(statusAndCode(await visit(world, '/lnk_1', served))).toBe('501 not_supported');
    expect(statusAndCode(await session.call('GET', '/nothing'))).toBe('404 not_found');
  });
});
