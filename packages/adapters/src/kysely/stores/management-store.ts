import type { AuditEntryId, ManagementKeyId, ManagementStore } from '@subrail/core/ports';
import { isAfter, keysetPage } from '../query/keyset.js';
import type { Handle, Session } from '../query/session.js';
import { pick, prepare } from '../query/statement.js';
import { auditEntryTable, managementKeyTable, outcomeCodec } from '../tables/management.js';

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
  const insertKey = prepare((values: ReturnType<typeof managementKeyTable.encode>) =>
    db.insertInto('management_keys').values(pick(values, managementKeyTable.columns)),
  );
  const findKey = prepare((values: { hash: string }) =>
    db
      .selectFrom('management_keys')
      .select(managementKeyTable.selection())
      .where('hash', '=', values.hash)
      .where('revoked_at', 'is', null),
  );
  const listKeys = prepare(() =>
    db
      .selectFrom('management_keys')
      .select(managementKeyTable.selection())
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );
  const touchKey = prepare((values: { id: ManagementKeyId; at: number }) =>
    db
      .updateTable('management_keys')
      .set({ last_used_at: values.at })
      .where('id', '=', values.id)
      .where((key) => key.or([key('last_used_at', 'is', null), key('last_used_at', '<', values.at)])),
  );
  const revokeKey = prepare((values: { id: ManagementKeyId; at: number }) =>
    db
      .updateTable('management_keys')
      .set({ revoked_at: values.at })
      .where('id', '=', values.id)
      .where('revoked_at', 'is', null),
  );
  const insertAuditEntry = prepare((values: ReturnType<typeof auditEntryTable.encode>) =>
    db.insertInto('audit_entries').values(pick(values, auditEntryTable.columns)),
  );
  const completeAuditEntry = prepare(
    (values: { id: AuditEntryId; subject: string | null; outcome: string }) =>
      db
        .updateTable('audit_entries')
        .set({ subject: values.subject, outcome: values.outcome })
        .where('id', '=', values.id)
        .where('outcome', 'is', null),
  );

  return ({ handle }) => ({
    async insertManagementKey(key) {
      await insertKey.write(handle, managementKeyTable.encode(key));
    },
    async findManagementKey(hash) {
      const row = await findKey.first(handle, { hash });
      return row === null ? null : readKey(row);
    },
    async listManagementKeys() {
      return (await listKeys.all(handle, {})).map(readKey);
    },
    async touchManagementKey(id, at) {
      await touchKey.write(handle, { id, at: at.getTime() });
    },
    async revokeManagementKey(id, at) {
      await revokeKey.write(handle, { id, at: at.getTime() });
    },

    async insertAuditEntry(entry) {
      await insertAuditEntry.write(handle, auditEntryTable.encode(entry));
    },
    async completeAuditEntry(id, subject, outcome) {
      await completeAuditEntry.write(handle, { id, subject, outcome: outcomeCodec.encode(outcome) });
    },
    listAuditEntries({ projectId, subject }, page) {
      let listed = handle.selectFrom('audit_entries').select(auditEntryTable.selection());
      if (projectId !== null) listed = listed.where('project_id', '=', projectId);
      if (subject !== null) listed = listed.where('subject', '=', subject);
      return keysetPage(
        page,
        async (id) => {
          const row = await listed.where('id', '=', id).executeTakeFirst();
          return row === undefined ? null : { id, at: readAuditEntry(row).createdAt };
        },
        async (after, limit) => {
          const rest = after === null ? listed : listed.where(isAfter('created_at', 'id', after));
          const ordered = rest.orderBy('created_at', 'desc').orderBy('id', 'desc');
          return (await ordered.limit(limit).execute()).map(readAuditEntry);
        },
      );
    },
  });
}
