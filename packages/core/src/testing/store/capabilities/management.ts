import type { ManagementStore, PageRequest, Store } from '../../../ports/store.js';
import type { AuditEntryId, AuditEntryOutcome } from '../../../records/index.js';
import { aManagementKey, anAuditEntry, anId } from '../../records.js';
import { expectEqual, expectRejection } from '../../expect.js';
import { expectOneWinner, race } from '../expect.js';
import { at } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

const FIRST_PAGE: PageRequest<AuditEntryId> = { limit: 9, startingAfter: null };
const EVERY_ENTRY = { projectId: null, subject: null };

/** Management keys and the audit log. */
export const managementTests: StoreTests<Store & ManagementStore> = {
  'finds a management key by its hash, and lists all, newest first': async ({ store, peer }) => {
    const keys = [
      aManagementKey({ name: 'Zoë’s laptop', access: 'write', createdAt: at(1) }),
      aManagementKey({ lastUsedAt: at(4), createdAt: at(3) }),
      aManagementKey({ revokedAt: at(5), createdAt: at(2) }),
    ] as const;
    for (const key of keys) await store.insertManagementKey(key);
    expectEqual(await peer.findManagementKey(keys[0].hash), keys[0], 'a key that was not used');
    expectEqual(await store.findManagementKey(keys[1].hash), keys[1], 'a key that was used');
    expectEqual(await store.findManagementKey(keys[2].hash), null, 'a revoked key');
    expectEqual(await store.findManagementKey(aManagementKey().hash), null, 'an unknown key');
    expectEqual(await store.listManagementKeys(), [keys[1], keys[2], keys[0]], 'the list of keys');
  },

  'refuses a second management key with one id or one hash': async ({ store }) => {
    const key = aManagementKey();
    await store.insertManagementKey(key);
    const { id, hash } = key;
    await expectRejection(store.insertManagementKey(aManagementKey({ id })), 'a second key with one id');
    await expectRejection(store.insertManagementKey(aManagementKey({ hash })), 'a second key with one hash');
    await store.revokeManagementKey(id, at(1));
    await expectRejection(
      store.insertManagementKey(aManagementKey({ hash })),
      'one with a revoked key’s hash',
    );
    expectEqual(await store.listManagementKeys(), [{ ...key, revokedAt: at(1) }], 'the list of keys');
  },

  'keeps the latest use and the first revocation of a management key': async (underTest) => {
    const { store } = underTest;
    const key = aManagementKey();
    await store.insertManagementKey(key);
    await race(underTest, 8, (through, caller) => through.touchManagementKey(key.id, at((caller * 5) % 8)));
    await store.revokeManagementKey(key.id, at(8));
    await store.revokeManagementKey(key.id, at(9));
    await store.touchManagementKey(anId('mkey'), at(9));
    await store.revokeManagementKey(anId('mkey'), at(9));
    const stored = { ...key, lastUsedAt: at(7), revokedAt: at(8) };
    expectEqual(await store.listManagementKeys(), [stored], 'the list of keys');
  },

  'reads an audit entry as it was written, and throws when its id is taken': async ({ store }) => {
    const input = { name: 'Zoë\'s ☕ "\\', nothing: null, list: [1, { deep: true }] };
    const entry = anAuditEntry({ projectId: anId('proj'), subject: 'sub_1', input });
    await store.insertAuditEntry(entry);
    await expectRejection(store.insertAuditEntry(anAuditEntry({ id: entry.id })), 'an entry with a taken id');
    const { data } = (await store.listAuditEntries(EVERY_ENTRY, FIRST_PAGE)) as { data: unknown };
    expectEqual(data, [entry], 'the list of audit entries');
  },

  'completes an audit entry once: of many racing outcomes the first one counts': async (underTest) => {
    const { store } = underTest;
    const entry = anAuditEntry();
    await store.insertAuditEntry(entry);
    const outcomeOf = (caller: number): AuditEntryOutcome => ({
      state: 'refused',
      code: `code_${caller}`,
      endedAt: at(caller),
    });
    await race(underTest, 8, (through, caller) =>
      through.completeAuditEntry(entry.id, `subject_${caller}`, outcomeOf(caller)),
    );
    const entries = async () => {
      const page = await store.listAuditEntries(EVERY_ENTRY, FIRST_PAGE);
      return page === 'unknown_cursor' ? [] : page.data;
    };
    const [settled] = await entries();
    const won = Array.from({ length: 8 }, (_, caller) => settled?.subject === `subject_${caller}`);
    expectOneWinner(won, true, false, 'the outcomes of an audit entry');
    const winner = won.indexOf(true);
    expectEqual(
      settled,
      { ...entry, subject: `subject_${winner}`, outcome: outcomeOf(winner) },
      'the audit entry',
    );
    await store.completeAuditEntry(entry.id, null, { state: 'done', code: null, endedAt: at(99) });
    await store.completeAuditEntry(anId('aud'), null, { state: 'done', code: null, endedAt: at(99) });
    expectEqual(await entries(), [settled], 'the list of audit entries');
  },

  'lists audit entries newest first, of a project or about a subject, in pages': async ({ store }) => {
    const projectId = anId('proj');
    const [first, second, third, other] = [
      anAuditEntry({ projectId, subject: 'a', createdAt: at(1) }),
      anAuditEntry({ projectId, subject: 'b', createdAt: at(2) }),
      anAuditEntry({ projectId, subject: 'a', createdAt: at(2) }),
      anAuditEntry({ subject: 'a', createdAt: at(3) }),
    ] as const;
    for (const entry of [third, first, other, second]) await store.insertAuditEntry(entry);
    const page = (data: readonly unknown[], hasMore: boolean) => ({ data, hasMore });
    const ofProject = { projectId, subject: null };
    expectEqual(
      await store.listAuditEntries(EVERY_ENTRY, { limit: 2, startingAfter: null }),
      page([other, third], true),
      'the first page of all',
    );
    expectEqual(
      await store.listAuditEntries(EVERY_ENTRY, { limit: 2, startingAfter: third.id }),
      page([second, first], false),
      'the second page of all',
    );
    expectEqual(
      await store.listAuditEntries(ofProject, FIRST_PAGE),
      page([third, second, first], false),
      'those of a project',
    );
    expectEqual(
      await store.listAuditEntries({ projectId, subject: 'a' }, FIRST_PAGE),
      page([third, first], false),
      'those about a subject',
    );
    expectEqual(
      await store.listAuditEntries(ofProject, { limit: 2, startingAfter: other.id }),
      'unknown_cursor',
      'a cursor of no project',
    );
  },
};
