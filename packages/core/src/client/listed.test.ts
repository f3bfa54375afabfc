import { describe, expect, it } from 'vitest';
import { createClient } from './client.js';
import { ApiErrors } from './errors.js';
import { refusal, scriptedFetch, success, type Scripted } from './tests/scripted-fetch.js';

const page = (ids: readonly string[], hasMore: boolean) =>
  success({
    data: ids.map((id) => ({ id })),
    has_more: hasMore,
    available_since: '2026-10-02T00:00:00.000Z',
  });

function fixture(...script: readonly Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  const client = createClient({ url: 'http://subrail.test', key: 'SUB_key', fetch, maxRetries: 0 });
  return { client, paths: () => sent.map(({ url }) => url.replace('http://subrail.test/v1', '')) };
}

async function idsOf(list: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe('a list', () => {
  it('is one page when it is awaited', async () => {
    const { client, paths } = fixture(page(['a', 'b'], true));
    const events = await client.events.list({ limit: 2 });
    expect(events.data.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(events.available_since).toBe('2026-10-02T00:00:00.000Z');
    expect(paths()).toEqual(['/events?limit=2']);
  });

  // lists#keyset-pagination
  it('is every item of every page when it is iterated, with the same query for each page', async () => {
    const { client, paths } = fixture(page(['a', 'b'], true), page(['c', 'd'], true), page(['e'], false));
    const query = { external_id: 'customer 1', plan: 'pro', limit: 2, starting_after: 'z' };
    expect(await idsOf(client.subscriptions.list(query))).toEqual(['a', 'b', 'c', 'd', 'e']);
    const path = '/subscriptions?external_id=customer+1&plan=pro&limit=2&starting_after=';
    expect(paths()).toEqual([`${path}z`, `${path}b`, `${path}d`]);
  });

  it('is iterated without a query', async () => {
    const { client, paths } = fixture(page(['a'], true), page(['b'], false));
    expect(await idsOf(client.subscriptions.attempts('sub_1'))).toEqual(['a', 'b']);
    expect(paths()).toEqual([
      '/subscriptions/sub_1/attempts',
      '/subscriptions/sub_1/attempts?starting_after=a',
    ]);
  });

  it('requests no page that the loop does not reach', async () => {
    const { client, paths } = fixture(page(['a', 'b'], true));
    for await (const { id } of client.events.list()) if (id === 'b') break;
    expect(paths()).toHaveLength(1);
  });

  it('uses the first page again for each loop', async () => {
    const { client, paths } = fixture(page(['a'], true), page(['b'], false), page(['b'], false));
    const list = client.events.list();
    expect(await idsOf(list)).toEqual(['a', 'b']);
    expect(await idsOf(list)).toEqual(['a', 'b']);
    expect(paths()).toEqual(['/events', '/events?starting_after=a', '/events?starting_after=a']);
  });

  it('ends at a page without items, whatever that page says about more', async () => {
    const { client } = fixture(page(['a'], true), page([], true));
    expect(await idsOf(client.events.list())).toEqual(['a']);
  });

  it.each([
    ['first', [refusal('rate_limited')], []],
    ['second', [page(['a'], true), refusal('rate_limited')], ['a']],
  ])('throws in the loop what the %s page throws', async (_, script, seen) => {
    const { client } = fixture(...script);
    const ids: string[] = [];
    const loop = async () => {
      for await (const { id } of client.events.list()) ids.push(id);
    };
    await expect(loop()).rejects.toBeInstanceOf(ApiErrors.RateLimited);
    expect(ids).toEqual(seen);
  });

  it('passes the signal of the call to every page', async () => {
    const { client, paths } = fixture(page(['a'], true), page(['b'], false));
    const controller = new AbortController();
    const loop = async () => {
      for await (const _ of client.events.list({}, { signal: controller.signal })) controller.abort('enough');
    };
    await expect(loop()).rejects.toBe('enough');
    expect(paths()).toHaveLength(1);
  });
});
