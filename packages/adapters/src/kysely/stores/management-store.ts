import type { AuditEntryId, ManagementStore } from '@subrail/core/ports';
import { insertRecords } from '../query/insert-rows.js';
import { newestPage } from '../query/keyset.js';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { auditEntryTable, managementKeyTable, outcomeCodec } from '../tables/management.js';
import { keyWrites } from './key-writes.js';

const readKey = managementKeyTable.decoder();
const readAuditEntry = auditEntryTable.decoder();

type KeysAndAuditLog = Pick<
  ManagementStore,
  | 'insertManagementKey'
  | 'findManagementKey'
  | 'listManagementKeys'
  | 'touchManagementKey'
  | 'revokeManagementKey'
  | 'insertAuditEntry'
  | 'completeAuditEntry'
  | 'listAuditEntries'
>;

/** Management keys and the audit log. */
export function managementStore(db: Handle): (session: Session) => KeysAndAuditLog {
  const keys = db.selectFrom('management_keys').select(managementKeyTable.selection());
  const insertKey = insertRecords(db, 'management_keys', managementKeyTable);
  const findKey = prepare(
    (values: { hash: string }) => keys.where('hash', '=', values.hash).where('revoked_at', 'is', null),
    readKey,
  );
  const listKeys = prepare(() => keys.orderBy('created_at', 'desc').orderBy('id', 'desc'), readKey);
  const { touchKey, revokeKey } = keyWrites(db, 'management_keys');
  const insertAuditEntry = insertRecords(db, 'audit_entries', auditEntryTable);
  const completeAuditEntry = prepare(
    (values: { id: AuditEntryId; subject: string | null; outcome: string }) =>
      db
        .updateTable('audit_entries')
        .set({ subject: values.subject, outcome: values.outcome })
        .where('id', '=', values.id)
        .where('outcome', 'is', null),
  );

  return ({ handle }) => ({
    insertManagementKey: (key) => insertKey(handle, [key]),
    findManagementKey: (hash) => findKey.first(handle, { hash }),
    listManagementKeys: () => listKeys.all(handle, {}),
    async touchManagementKey(id, at) {
      await touchKey.write(handle, { id, at: at.getTime() });
    },
    async revokeManagementKey(id, at) {
      await revokeKey.write(handle, { id, at: at.getTime() });
    },

    insertAuditEntry: (entry) => insertAuditEntry(handle, [entry]),
    async completeAuditEntry(id, subject, outcome) {
      await completeAuditEntry.write(handle, { id, subject, outcome: outcomeCodec.encode(outcome) });
    },
    listAuditEntries({ projectId, subject }, page) {
      let listed = db.selectFrom('audit_entries').select(auditEntryTable.selection());
      if (projectId !== null) listed = listed.where('project_id', '=', projectId);
      if (subject !== null) listed = listed.where('subject', '=', subject);
      return newestPage(handle, listed, { at: 'created_at', id: 'id' }, readAuditEntry, page);
    },
  });
}
