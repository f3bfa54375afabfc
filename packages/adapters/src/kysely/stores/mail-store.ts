import type { MailId, MailStore, ProjectId } from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import { newestPage } from '../query/keyset.js';
import { readEach } from '../query/related-rows.js';
import type { Handle, Session } from '../query/session.js';
import { columnsExcept, pick, prepare, prepareList } from '../query/statement.js';
import { mailSettingsTable, mailTable, refusedAddressTable } from '../tables/mails.js';
import type { RowOf } from '../tables/record-table.js';

const readMail = mailTable.decoder();
const readSettings = mailSettingsTable.decoder();
const readRefused = refusedAddressTable.decoder();

/** What a mail says, which a try does not change. */
const FIXED = [
  'id',
  'project_id',
  'subscription_id',
  'event_id',
  'kind',
  'email',
  'facts',
  'created_at',
] as const;

/** A literal, because an engine uses a partial index only when the text of the query names the state. */
const PENDING = sql.lit('pending' as const);

/** The mails to customers, how each project sends them, and the addresses that it sends nothing to. */
export function mailStore(db: Handle): (session: Session) => Omit<MailStore, 'deleteMails'> {
  const mails = db.selectFrom('mails').select(mailTable.selection());
  const firstDue = prepare((values: { now: number }) =>
    db
      .selectFrom('mails')
      .select('id')
      .where('state', '=', PENDING)
      .where('next_attempt_at', '<=', values.now)
      .limit(1),
  );
  /** The mails that are due, without those that another caller claims now. */
  const due = (locksRows: boolean) =>
    prepare((values: { now: number; limit: number }) => {
      const soonest = mails
        .where('state', '=', PENDING)
        .where('next_attempt_at', '<=', values.now)
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(values.limit);
      return locksRows ? soonest.forNoKeyUpdate().skipLocked() : soonest;
    });
  const [dueLocked, dueUnlocked] = [due(true), due(false)];
  const claim = prepareList((ids: readonly MailId[], values: { until: number }) =>
    db.updateTable('mails').set({ next_attempt_at: values.until }).where('id', 'in', ids),
  );
  const settle = prepare((values: RowOf<typeof mailTable> & { claimedUntil: number }) =>
    db
      .updateTable('mails')
      .set(pick(values, columnsExcept(mailTable.columns, FIXED)))
      .where('id', '=', values.id)
      .where('state', '=', PENDING)
      .where('next_attempt_at', '=', values.claimedUntil),
  );
  const resend = prepare(
    (values: { projectId: ProjectId; id: MailId; at: number }) =>
      db
        .updateTable('mails')
        .set({
          state: 'pending',
          attempts: 0,
          first_attempt_at: null,
          next_attempt_at: values.at,
          settled_at: null,
          last_error: null,
        })
        .where('id', '=', values.id)
        .where('project_id', '=', values.projectId)
        .where('state', 'in', ['failed', 'refused', 'left_out'])
        .returning(mailTable.selection()),
    readMail,
  );
  const hasten = prepare((values: { untriedAfter: number; after: number; at: number; limit: number }) => {
    const isAhead = sql<boolean>`next_attempt_at > ${values.untriedAfter}
      and (attempts = 0 or next_attempt_at > ${values.after})`;
    const ahead = db.selectFrom('mails').select('id').where('state', '=', PENDING).where(isAhead);
    return (
      db
        .updateTable('mails')
        .set({ next_attempt_at: values.at })
        .where('id', 'in', ahead.limit(values.limit))
        // Checked again, because another caller may have sent it meanwhile.
        .where('state', '=', PENDING)
        .where(isAhead)
    );
  });
  const findMail = prepare(
    (values: { projectId: ProjectId; id: MailId }) =>
      mails.where('id', '=', values.id).where('project_id', '=', values.projectId),
    readMail,
  );

  const saveSettings = prepare(({ project_id, off, reply_to, language }: RowOf<typeof mailSettingsTable>) =>
    db
      .insertInto('mail_settings')
      .values({ project_id, off, reply_to, language })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ off, reply_to, language })),
  );
  const findSettings = prepare(
    (values: { projectId: ProjectId }) =>
      db
        .selectFrom('mail_settings')
        .select(mailSettingsTable.selection())
        .where('project_id', '=', values.projectId),
    readSettings,
  );

  const refuse = prepare((values: RowOf<typeof refusedAddressTable>) =>
    db
      .insertInto('refused_addresses')
      .values(pick(values, refusedAddressTable.columns))
      .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing()),
  );
  const refused = db.selectFrom('refused_addresses').select(refusedAddressTable.selection());
  const findRefused = prepare(
    (values: { projectId: ProjectId; address: string }) =>
      refused.where('project_id', '=', values.projectId).where('address', '=', values.address),
    readRefused,
  );
  const listRefused = prepare(
    (values: { projectId: ProjectId; limit: number }) =>
      refused
        .where('project_id', '=', values.projectId)
        .orderBy('refused_at', 'desc')
        .orderBy('address', 'desc')
        .limit(values.limit),
    readRefused,
  );
  const accept = prepare((values: { projectId: ProjectId; address: string }) =>
    db
      .deleteFrom('refused_addresses')
      .where('project_id', '=', values.projectId)
      .where('address', '=', values.address),
  );

  return ({ handle, traits, atomically }) => ({
    async claimMails(now, limit, until) {
      // Read outside of the transaction, so that a claim of nothing waits for no lock.
      if ((await firstDue.first(handle, { now: now.getTime() })) === null)
        return { mails: [], unreadable: [] };
      return atomically(async (transaction) => {
        const dueNow = traits.locksRows ? dueLocked : dueUnlocked;
        const rows = await dueNow.all(transaction, { now: now.getTime(), limit });
        const ids = rows.map((row) => row['id'] as MailId);
        if (ids.length > 0) await claim.write(transaction, ids, { until: until.getTime() });
        const { readable, unreadable } = readEach(rows, (row) => ({
          ...readMail(row),
          nextAttemptAt: until,
        }));
        return { mails: readable, unreadable };
      });
    },
    async settleMail(mail, claimedUntil) {
      const row = { ...mailTable.encode(mail), claimedUntil: claimedUntil.getTime() };
      return (await settle.write(handle, row)) === 1 ? 'settled' : 'lost';
    },
    resendMail: (projectId, id, at) => resend.first(handle, { projectId, id, at: at.getTime() }),
    hastenMails: (untriedAfter, after, at, limit) =>
      hasten.write(handle, {
        ...{ untriedAfter: untriedAfter.getTime(), after: after.getTime(), at: at.getTime(), limit },
      }),
    findMail: (projectId, id) => findMail.first(handle, { projectId, id }),
    listMails(projectId, { state, subscriptionId }, page) {
      const isSqlite = traits.dialect === 'sqlite';
      // An expression for the mails of a subscription: SQLite could otherwise walk all of the project.
      const project = isSqlite && subscriptionId !== null ? sql`project_id || ''` : sql.ref('project_id');
      let listed = mails.where(sql<SqlBool>`${project} = ${projectId}`);
      if (subscriptionId !== null) listed = listed.where('subscription_id', '=', subscriptionId);
      // A literal, because the index of those that were not sent is partial.
      if (state !== null) listed = listed.where('state', '=', sql.lit(state));
      // SQLite needs the condition of that index verbatim.
      if (isSqlite && state !== null && state !== 'sent')
        listed = listed.where('state', '<>', sql.lit('sent' as const));
      return newestPage(handle, listed, { at: 'created_at', id: 'id' }, readMail, page);
    },

    async saveMailSettings(settings) {
      await saveSettings.write(handle, mailSettingsTable.encode(settings));
    },
    findMailSettings: (projectId) => findSettings.first(handle, { projectId }),
    async refuseAddress(address) {
      await refuse.write(handle, refusedAddressTable.encode(address));
    },
    findRefusedAddress: (projectId, address) => findRefused.first(handle, { projectId, address }),
    listRefusedAddresses: (projectId, limit) => listRefused.all(handle, { projectId, limit }),
    acceptAddress: async (projectId, address) => (await accept.write(handle, { projectId, address })) === 1,
  });
}
