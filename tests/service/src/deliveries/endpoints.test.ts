import { refusal } from '@subrail/test-world';
import { describe, expect, test } from 'vitest';
import { createCrypto } from '@subrail/adapters/node';
import { createBilling, type Settings } from '@subrail/core';
import { EventType } from '@subrail/core/schemas';
import { aProject, RecordingSender } from '@subrail/core/testing';
import { EVERYTHING, NOW, openDeliveryWorld } from './delivery-world.js';

const types = [...EVERYTHING];

async function open(settings: Partial<Settings> = {}) {
  const { ports, project, store } = await openDeliveryWorld(new RecordingSender());
  const billing = createBilling({ ...ports, settings });
  return {
    billing,
    ports,
    project,
    store,
    create: (url: string) => billing.project(project.id).endpoints.create({ url, types }),
  };
}

describe('an endpoint', () => {
  test('is enabled when created, and its secret is shown once and stored sealed', async () => {
    const { billing, project, store, create } = await open();
    const made = await create('https://example.com/hooks');
    expect(made).toEqual({
      id: expect.stringMatching(/^whe_[0-9A-Za-z]{24}$/) as string,
      url: 'https://example.com/hooks',
      types,
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      last_failure: null,
      can_sign: true,
      previous_secret_expires_at: null,
      created_at: NOW.toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/) as string,
    });
    const { secret, ...rest } = made;
    expect(await billing.project(project.id).endpoints.retrieve(made.id)).toEqual(rest);
    expect(await billing.project(project.id).endpoints.list()).toEqual([rest]);
    expect(JSON.stringify(await store.listEndpoints(project.id))).not.toContain(
      secret.slice('whsec_'.length),
    );
  });

  // deliveries#secret-that-cannot-be-opened
  test('shows in each answer that the sealing key does not open its secret, until it is rotated', async () => {
    const { billing, ports, project, create } = await open();
    const { id } = await create('https://example.com/hooks');
    const { endpoints } = createBilling({
      ...ports,
      crypto: createCrypto(new Uint8Array(32).fill(9)),
    }).project(project.id);
    const answers = [
      await endpoints.retrieve(id),
      ...(await endpoints.list()),
      await endpoints.update(id, { types }),
      await endpoints.disable(id),
      await endpoints.enable(id),
      await endpoints.rotateSecret(id, { overlap_hours: 1 }),
    ];
    expect(answers.map(({ can_sign }) => can_sign)).toEqual(answers.map(() => false));
    expect(await endpoints.rotateSecret(id)).toMatchObject({ can_sign: true });
    expect(await endpoints.list()).toMatchObject([{ can_sign: true }]);
    expect(await billing.project(project.id).endpoints.list()).toMatchObject([{ can_sign: false }]);
  });

  // invariants#no-secret-leaks
  test('shows neither a secret nor its sealed form in a list', async () => {
    const { billing, project, create, store } = await open();
    const { id, secret } = await create('https://example.com/hooks');
    const {
      endpoints: [stored],
    } = await store.listEndpoints(project.id);
    await billing.project(project.id).endpoints.rotateSecret(id, { overlap_hours: 24 });
    const listed = JSON.stringify(await billing.project(project.id).endpoints.list());
    expect(listed).not.toContain(secret);
    expect(listed).not.toContain(stored?.secrets[0]?.sealed);
  });

  // deliveries#endpoint-address
  test('exists once per address, however it is spelled', async () => {
    const { create } = await open();
    await create('https://example.com/hooks');
    for (const same of [
      'https://EXAMPLE.com:443/hooks',
      'https://example.com/a/../hooks',
      'https://example.com/hooks#x',
    ]) {
      expect(await refusal(create(same)), same).toBe('conflict');
    }
    expect(await refusal(create('https://example.com/hooks/'))).toBeNull();
  });

  // deliveries#endpoint-address
  test('exists at most sixteen times in a project, however many are created concurrently', async () => {
    const { billing, project, create } = await open();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refusal(create(`https://example.com/${index}`))),
    );
    expect(outcomes.filter((code) => code === null)).toHaveLength(16);
    expect(outcomes.filter((code) => code === 'conflict')).toHaveLength(4);
    expect(await billing.project(project.id).endpoints.list()).toHaveLength(16);
  });

  // deliveries#endpoint-address
  test.each([
    ['that is no https address', ['', 'example.com/hooks', 'http://example.com/', 'ftp://example.com/']],
    ['with credentials', ['https://user:password@example.com/', 'https://user@example.com/']],
    ['of this machine, disguised too', ['https://localhost/', 'https://127.0.0.1/', 'https://2130706433/']],
    [
      'that is private',
      ['https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/latest', 'https://intranet/'],
    ],
    [
      'that is too long, or is so once encoded',
      [`https://example.com/${'x'.repeat(2_040)}`, `https://example.com/${'☕'.repeat(1_000)}`],
    ],
  ])('refuses an address %s', async (_, urls) => {
    const { billing, project, create } = await open();
    for (const url of urls) expect(await refusal(create(url)), url).toBe('invalid_request');
    expect(await billing.project(project.id).endpoints.list()).toEqual([]);
  });

  // deliveries#endpoint-address
  test('takes private addresses and plain http in development, but no credentials', async () => {
    const { create } = await open({ privateTargets: true });
    expect(await refusal(create('http://127.0.0.1:4000/hooks'))).toBeNull();
    expect(await refusal(create('http://user:password@127.0.0.1:4000/'))).toBe('invalid_request');
    expect(await refusal(create('ftp://127.0.0.1/'))).toBe('invalid_request');
  });

  // deliveries#endpoint-address
  test.each([
    [[], 'none'],
    [['subscription.created', 'subscription.created'], 'one twice'],
    [['test'], 'the type of test deliveries'],
    [['subscription.unknown'], 'one that does not exist'],
  ])('refuses the types %j: %s', async (chosen) => {
    const { billing, project } = await open();
    const input = { url: 'https://example.com/', types: chosen as EventType[] };
    expect(await refusal(billing.project(project.id).endpoints.create(input))).toBe('invalid_request');
  });

  test('refuses an unknown field', async () => {
    const { billing, project } = await open();
    const input = { url: 'https://example.com/', types, secret: 'whsec_mine' };
    expect(await refusal(billing.project(project.id).endpoints.create(input))).toBe('invalid_request');
  });

  test('can select every event type, and be changed later', async () => {
    const { billing, project } = await open();
    const all = [...EventType.options];
    const { id } = await billing
      .project(project.id)
      .endpoints.create({ url: 'https://example.com/', types: all });
    const updated = await billing.project(project.id).endpoints.update(id, { types: ['subscription.ended'] });
    expect(updated.types).toEqual(['subscription.ended']);
    expect(await billing.project(project.id).endpoints.retrieve(id)).toEqual(updated);
  });

  test("is not found when it is another project's or unknown", async () => {
    const { billing, project, create, store } = await open();
    const { id } = await create('https://example.com/');
    const other = aProject();
    await store.insertProject(other);
    expect(await refusal(billing.project(other.id).endpoints.retrieve(id))).toBe('not_found');
    expect(await refusal(billing.project(other.id).endpoints.rotateSecret(id))).toBe('not_found');
    expect(await refusal(billing.project(project.id).endpoints.update('whe_0', { types }))).toBe('not_found');
  });

  // deliveries#secret-rotation-overlap
  test.each([-1, 24.5, 25, Number.NaN, '1'])('refuses an overlap of %s hours', async (hours) => {
    const { billing, project, create } = await open();
    const { id } = await create('https://example.com/');
    const input = { overlap_hours: hours as number };
    expect(await refusal(billing.project(project.id).endpoints.rotateSecret(id, input))).toBe(
      'invalid_request',
    );
  });

  // deliveries#secret-rotation-overlap
  test('applies concurrent rotations one after the other', async () => {
    const { billing, project, create, store } = await open();
    const { id } = await create('https://example.com/');
    await Promise.all(
      [1, 2, 3].map(() => billing.project(project.id).endpoints.rotateSecret(id, { overlap_hours: 1 })),
    );
    const {
      endpoints: [stored],
    } = await store.listEndpoints(project.id);
    expect(stored?.version).toBe(4);
    expect(stored?.secrets).toHaveLength(2);
  });
});
