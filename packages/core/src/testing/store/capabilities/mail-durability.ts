import type { ManagementStore } from '../../../ports/store.js';
import { expectEqual } from '../../expect.js';
import { aMail } from '../../mail-records.js';
import { aCommit, aProject } from '../../records.js';
import { durabilityOf, reopened, storeDueRecords } from '../durable.js';
import { at, mustCommit, nextVersion, storeFixture } from '../fixture.js';
import { settledAs, storeMail, UNTIL, type WithMails } from '../mail-fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** What the deletion of a project does to the settings of its mails. */
export const mailsOfDeletedProjectTests: StoreTests<WithMails & ManagementStore> = {
  'deletes the mail settings and the refused addresses of a project with it, and no others': async ({
    store,
  }) => {
    const [{ project: kept }, deleted] = [await storeFixture(store), aProject()];
    await store.insertProject(deleted);
    for (const { id: projectId } of [kept, deleted]) {
      await store.saveMailSettings({ projectId, off: [], replyTo: null, language: 'de' });
      await store.refuseAddress({ projectId, address: 'a@example.com', reason: 'No.', refusedAt: at(1) });
    }
    expectEqual(await store.deleteProject(deleted.id), 'deleted', 'the result');
    for (const [{ id }, what] of [
      [kept, 'of the other project'],
      [deleted, 'of it'],
    ] as const)
      expectEqual(
        [(await store.findMailSettings(id)) !== null, (await store.listRefusedAddresses(id, 9)).length],
        id === kept.id ? [true, 1] : [false, 0],
        `whether there are settings ${what}, and how many refused addresses`,
      );
  },
};

export const mailDurabilityTests: StoreTests<WithMails> = {
  'keeps the mails that commit wrote when it is closed and opened again': async (underTest) => {
    const { subscription } = await storeDueRecords(underTest.store);
    const mail = aMail({ projectId: subscription.projectId, subscriptionId: subscription.id });
    await mustCommit(underTest.store, aCommit(nextVersion(subscription), { mails: [mail] }));
    const store = await reopened(underTest);
    expectEqual(await store.findMail(mail.projectId, mail.id), mail, 'the mail');
  },
  ...durabilityOf<WithMails>({
    async claimMails(store, stored) {
      const { id, projectId } = await storeMail(store, stored);
      await store.claimMails(at(1), 9, UNTIL);
      return (reopened) => reopened.findMail(projectId, id);
    },
    async settleMail(store, stored) {
      const mail = await storeMail(store, stored, { nextAttemptAt: UNTIL });
      await store.settleMail({ ...mail, ...settledAs('sent') }, UNTIL);
      return (reopened) => reopened.findMail(mail.projectId, mail.id);
    },
    async resendMail(store, stored) {
      const { id, projectId } = await storeMail(store, stored, settledAs('failed'));
      await store.resendMail(projectId, id, at(77));
      return (reopened) => reopened.findMail(projectId, id);
    },
    async hastenMails(store, stored) {
      const { id, projectId } = await storeMail(store, stored, { nextAttemptAt: at(99) });
      await store.hastenMails(at(9), at(9), at(5), 9);
      return (reopened) => reopened.findMail(projectId, id);
    },
    async deleteMails(store, stored) {
      const { id, projectId } = await storeMail(store, stored, settledAs('sent'));
      await store.deleteMails(at(9), 9, null);
      return (reopened) => reopened.findMail(projectId, id);
    },
    async saveMailSettings(store, { project: { id: projectId } }) {
      await store.saveMailSettings({ projectId, off: ['ended'], replyTo: null, language: 'de' });
      return (reopened) => reopened.findMailSettings(projectId);
    },
    async refuseAddress(store, { project: { id: projectId } }) {
      await store.refuseAddress({ projectId, address: 'a@example.com', reason: 'No.', refusedAt: at(1) });
      return (reopened) => reopened.listRefusedAddresses(projectId, 9);
    },
    async acceptAddress(store, { project: { id: projectId } }) {
      await store.refuseAddress({ projectId, address: 'a@example.com', reason: 'No.', refusedAt: at(1) });
      await store.acceptAddress(projectId, 'a@example.com');
      return (reopened) => reopened.listRefusedAddresses(projectId, 9);
    },
  }),
};
