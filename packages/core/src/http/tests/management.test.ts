import { createHash } from 'node:crypto';
import * as z from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';

import { ServiceError } from '../../contract/errors.js';
import { fields } from '../../contract/requests.js';
import { operation, type Operation } from '../../operations/operation.js';
import { operationsOf } from '../../operation-table.js';
import { Unavailable } from '../../ports/unavailable.js';
import type { AuditEntry, AuditEntryOutcome, ManagementKey } from '../../records/index.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { aManagementKey } from '../../testing/records.js';
import { createFetchHandler } from '../fetch-handler.js';
import { managementGate } from '../gate.js';
import { createHandler } from '../handler.js';
import { createRouter } from '../router.js';
import { callerOf, json, KEY, NOW, PROJECT, serviceFixture } from './fixtures.js';

const MANAGEMENT_KEY = `SUBM_${'m'.repeat(43)}`;
const READING_KEY = `SUBM_${'r'.repeat(43)}`;

const keyOf = (text: string, given: Partial<ManagementKey>): ManagementKey =>
  aManagementKey({ hash: createHash('sha256').update(text).digest('hex'), ...given });

const WRITER = keyOf(MANAGEMENT_KEY, { name: 'Dashboard', access: 'write' });
const READER = keyOf(READING_KEY, { name: 'Monitor', access: 'read' });

const OPERATIONS: readonly Operation[] = operationsOf({
  gadgets: {
    list: operation<(query: { colour?: string | undefined }) => Promise<{ colour: string | null }>>()({
      method: 'GET',
      path: '/manage/v1/gadgets',
      input: fields({ colour: z.string({ error: 'must be a colour' }).optional() }),
      output: z.object({ colour: z.string().nullable() }),
      summary: '',
      run: async ({ input }) => ({ colour: input.colour ?? null }),
    }),
    create: operation<(input: { name: string }) => Promise<{ id: string; project: string }>>()({
      method: 'POST',
      path: '/manage/v1/projects/{project}/gadgets',
      input: fields({ name: z.string({ error: 'must be a name' }) }),
      output: z.object({ id: z.string(), project: z.string() }),
      status: 201,
      summary: '',
      run: async ({ input, project }) => ({ id: `gad_${input.name}`, project: project.id }),
    }),
    delete: operation<(id: string) => Promise<void>>()({
      method: 'POST',
      path: '/manage/v1/projects/{project}/gadgets/{id}/delete',
      output: z.void(),
      notFound: 'event_not_found',
      summary: '',
      async run({ id }) {
        if (id === 'used') throw new ServiceError('conflict', { message: 'It is in use.' });
        if (id === 'faulty') throw new Error('the disk failed');
        if (id === 'away') throw new Unavailable('the database does not answer');
      },
    }),
  },
});

/** A handler of sample operations, and the audit entries that were stored. */
function managed() {
  const entries: AuditEntry[] = [];
  let keys: readonly ManagementKey[] = [WRITER, READER];
  let broken = false;
  const uses: Date[] = [];
  const wallClock = new ManualClock(NOW);
  const completeAuditEntry = async (id: string, subject: string | null, outcome: AuditEntryOutcome) => {
    if (broken) throw new Unavailable('the database does not answer');
    const index = entries.findIndex((entry) => entry.id === id);
    entries[index] = { ...(entries[index] as AuditEntry), subject, outcome };
  };
  const fixture = serviceFixture({
    wallClock,
    store: {
      findProject: async (id) => (id === PROJECT.id ? PROJECT : null),
      findManagementKey: async (hash) => keys.find((key) => key.hash === hash) ?? null,
      listManagementKeys: async () => keys,
      touchManagementKey: async (_id, at) => void uses.push(at),
      insertAuditEntry: async (entry) => void entries.push(entry),
      completeAuditEntry,
    },
  });
  const { service } = fixture.billing;
  const router = createRouter(service, managementGate(service, OPERATIONS));
  const call = callerOf(createFetchHandler(router, () => '203.0.113.7'));
  const whole = callerOf(createHandler(fixture.billing));
  return {
    ...fixture,
    ...{ entries, uses, wallClock },
    call: (path: string, options: Parameters<typeof call>[1] = {}) =>
      call(path, { key: MANAGEMENT_KEY, ...options }),
    /** Calls the handler of the whole service. */
    whole,
    holdKeys: (held: readonly ManagementKey[]) => (keys = held),
    breakStore: () => (broken = true),
  };
}

let world: ReturnType<typeof managed>;
beforeEach(() => {
  world = managed();
});

const GADGETS = `/manage/v1/projects/${PROJECT.id}/gadgets`;

describe('a management route', () => {
  // management#management-routes
  it('runs with a management key, on the project of its path', async () => {
    expect(await world.call('/manage/v1/gadgets?colour=red')).toMatchObject({
      status: 200,
      body: { colour: 'red' },
    });
    const created = await world.call(GADGETS, json({ name: 'one' }));
    expect(created).toMatchObject({ status: 201, body: { id: 'gad_one', project: PROJECT.id } });
    expect((await world.call(`${GADGETS}/one/delete`, { method: 'POST' })).body).toEqual({});
  });

  // management#management-keys
  it.each([
    ['no key', null, 401, 'missing_api_key'],
    ['the API key of a project', KEY, 401, 'missing_api_key'],
    ['an unknown management key', `SUBM_${'u'.repeat(43)}`, 401, 'invalid_api_key'],
  ])('refuses %s', async (_, key, status, code) => {
    expect(await world.call('/manage/v1/gadgets', { key })).toMatchObject({ status, body: { code } });
  });

  it('refuses a management key on every route of the contract', async () => {
    expect(await world.whole('/v1/plans', { key: MANAGEMENT_KEY })).toMatchObject({
      status: 401,
      body: { code: 'missing_api_key' },
    });
  });

  // management#management-keys
  it('lets a key that may read only read, and logs nothing that it tried', async () => {
    expect((await world.call('/manage/v1/gadgets', { key: READING_KEY })).status).toBe(200);
    const refused = await world.call(GADGETS, { ...json({ name: 'one' }), key: READING_KEY });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(world.entries).toEqual([]);
  });

  it.each([
    ['an unknown project', '/manage/v1/projects/proj_unknown/gadgets', 404, 'not_found'],
    ['a project that no id can be', '/manage/v1/projects/%20/gadgets', 404, 'not_found'],
    ['an id that no id can be', `${GADGETS}/%20/delete`, 404, 'event_not_found'],
    ['an unknown path', '/manage/v1/widgets', 404, 'not_found'],
    ['an input that is not valid', GADGETS, 400, 'invalid_request'],
  ])('refuses %s, and logs nothing', async (_, path, status, code) => {
    expect(await world.call(path, json({ size: 1 }))).toMatchObject({ status, body: { code } });
    expect(world.entries).toEqual([]);
  });

  // management#management-keys
  it('dates the last use of a key by the clock that dates the key', async () => {
    world.clock.advance(30 * 86_400_000);
    await world.call('/manage/v1/gadgets');
    expect(world.uses).toEqual([NOW]);
  });

  // management#management-limits
  it('allows a key 1,000 reads and 300 changes a minute on a route', async () => {
    const read = await world.call('/manage/v1/gadgets');
    expect(read.headers.get('x-ratelimit-limit')).toBe('1000');
    for (let left = 300; left > 0; left--) {
      expect((await world.call(GADGETS, json({ name: 'one' }))).status).toBe(201);
    }
    expect(await world.call(GADGETS, json({ name: 'one' }))).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
    // A read of the chain for many counts as a change, also for a key that only reads.
    const path = `/manage/v1/projects/${PROJECT.id}/subscriptions/cannot-pay`;
    const costly = await world.whole(path, { key: READING_KEY });
    expect(costly.headers.get('x-ratelimit-limit')).toBe('300');
  });
});

describe('the audit log', () => {
  // management#audit-log
  it('has an entry before a change takes effect, and then its subject and outcome', async () => {
    await world.call(GADGETS, json({ name: 'one' }));
    expect(world.entries).toEqual([
      {
        id: expect.stringMatching(/^aud_\w{24}$/) as string,
        createdAt: NOW,
        actor: `Dashboard (${WRITER.id})`,
        operation: 'gadgets.create',
        projectId: PROJECT.id,
        subject: 'gad_one',
        input: { name: 'one' },
        outcome: { state: 'done', code: null, endedAt: NOW },
      },
    ]);
  });

  it.each([
    ['used', 409, { state: 'refused', code: 'conflict' }],
    ['faulty', 500, { state: 'failed', code: 'internal_error' }],
    ['away', 503, { state: 'failed', code: 'unavailable' }],
  ])('has how the change of %s ended', async (id, status, outcome) => {
    expect((await world.call(`${GADGETS}/${id}/delete`, { method: 'POST' })).status).toBe(status);
    expect(world.entries).toMatchObject([{ operation: 'gadgets.delete', subject: id, outcome }]);
  });

  it('keeps an entry without an outcome when that cannot be stored, and answers the caller', async () => {
    world.breakStore();
    expect((await world.call(GADGETS, json({ name: 'one' }))).status).toBe(201);
    expect(world.entries).toMatchObject([{ subject: null, outcome: null }]);
    expect(world.logged.join()).toContain('The outcome of an audit entry could not be stored.');
  });

  it('has no read', async () => {
    await world.call('/manage/v1/gadgets');
    expect(world.entries).toEqual([]);
  });
});

describe('the management routes of a service', () => {
  // management#off-without-a-key
  it('are not there until the first management key is made, and gone with the last', async () => {
    const paths = ['/manage/v1/projects', '/manage/openapi.json'];
    const statuses = async () =>
      Promise.all(paths.map(async (path) => (await world.whole(path, { key: KEY })).status));
    world.holdKeys([]);
    expect(await statuses()).toEqual([404, 404]);
    world.holdKeys([WRITER]);
    expect(await statuses()).toEqual([404, 404]);
    // The chain's time, which can be moved or stand still, makes no difference.
    world.clock.advance(3_600_000);
    expect(await statuses()).toEqual([404, 404]);
    world.wallClock.advance(5_000);
    expect(await statuses()).toEqual([401, 200]);
    world.holdKeys([{ ...WRITER, revokedAt: NOW }]);
    world.wallClock.advance(5_000);
    expect(await statuses()).toEqual([404, 404]);
  });

  it('share the limit of calls without a key with the contract', async () => {
    for (let call = 0; call < 60; call++) {
      expect((await world.whole('/v1/plans', { key: null })).status).toBe(401);
      expect((await world.whole('/manage/v1/projects', { key: null })).status).toBe(401);
    }
    for (const path of ['/v1/plans', '/manage/v1/projects']) {
      expect((await world.whole(path, { key: null })).status).toBe(429);
    }
  });
});
