import { describe, expect, it } from 'vitest';

import { LinkList, LinkWire } from '../../../contract/session.js';
import { NOW, PROJECT } from '../../../http/tests/fixtures.js';
import { aPlan } from '../../../testing/records.js';
import { pageUrl } from '../page-addresses.js';
import { PRO, sessionsOf } from './fixtures.js';

const LINKS = '/checkout/v1/links';

describe('the links of a project', () => {
  // checkout-sessions#plan-links
  it('are made with a permanent address', async () => {
    const { post, links } = sessionsOf();
    const { status, body } = await post(LINKS, {
      plan: 'pro',
      ask_email: true,
      success_url: 'https://shop.example/thanks',
    });
    const { id, ...link } = LinkWire.parse(body);
    expect([status, id]).toEqual([201, expect.stringMatching(/^lnk_[0-9A-Za-z]{24}$/)]);
    expect(link).toEqual({
      url: `http://localhost:3000/checkout/${id}`,
      plan: 'pro',
      replaces: null,
      ask_email: true,
      success_url: 'https://shop.example/thanks',
      created_at: NOW.toISOString(),
      ended_at: null,
    });
    expect(links).toMatchObject([{ id, projectId: PROJECT.id, planId: PRO.id }]);
  });

  // checkout-sessions#plan-links
  it('are listed newest first, ended ones too, and keep the date of their first end', async () => {
    const team = aPlan({ projectId: PROJECT.id, slug: 'team' });
    const { shop, clock } = sessionsOf({ plans: [PRO, team] });
    const first = await shop.links.create({ plan: 'pro' });
    const second = await shop.links.create({ plan: 'team' });
    clock.advance(1_000);
    const ended = await shop.links.end(first.id);
    expect(ended).toEqual({ ...first, ended_at: new Date(NOW.getTime() + 1_000).toISOString() });
    clock.advance(1_000);
    expect(await shop.links.end(first.id)).toEqual(ended);
    expect(LinkList.parse(await shop.links.list())).toEqual({ links: [second, ended] });
  });

  // checkout-sessions#plan-links
  it('are not found under an unknown id', async () => {
    const { call, shop } = sessionsOf();
    const answer = await call(`${LINKS}/lnk_none/end`, { method: 'POST' });
    expect(answer.body).toMatchObject({ statusCode: 404, code: 'link_not_found' });
    await expect(shop.links.end('lnk_none')).rejects.toMatchObject({ code: 'link_not_found' });
  });

  // checkout-sessions#plan-links
  it.each([
    ['draft', 'plan_not_on_chain'],
    ['sunset', 'plan_sunset'],
    ['closed', 'plan_not_found'],
  ] as const)('are not made of a %s plan', async (status, code) => {
    const { post, links } = sessionsOf({ plans: [{ ...PRO, status }] });
    expect((await post(LINKS, { plan: 'pro' })).body['code']).toBe(code);
    expect(links).toEqual([]);
  });

  // checkout-sessions#addresses-to-return-to
  it('lead to no address that is not https on mainnet', async () => {
    const { post } = sessionsOf({ network: 'mainnet-beta' });
    const answer = await post(LINKS, { plan: 'pro', success_url: 'http://localhost/' });
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      message: ['"success_url" must be an https address: http is for devnet alone.'],
    });
  });
});

const addressBelow = (publicUrl: string) =>
  pageUrl({ settings: { publicUrl } } as Parameters<typeof pageUrl>[0], '/portal#chs_1');

it('has the pages below the public address, with or without a slash at its end', () => {
  expect(addressBelow('https://pay.example')).toBe('https://pay.example/portal#chs_1');
  expect(addressBelow('https://shop.example/billing/')).toBe('https://shop.example/billing/portal#chs_1');
});

it('has the pages below the public address, whatever its query is', () => {
  expect(addressBelow('https://shop.example/billing?page=1#')).toBe(
    'https://shop.example/billing/portal#chs_1',
  );
});
