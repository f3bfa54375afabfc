import type { ManagementStore, ReportStore, Store } from '../../../ports/store.js';
import type { ProjectId, Seller } from '../../../records/index.js';
import { expectEach, expectEqual, expectThat } from '../../expect.js';
import { aCommit, anAttempt, aProject } from '../../records.js';
import { race } from '../expect.js';
import { at, mustCommit, nextVersion, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

const sellerOf = (projectId: ProjectId, given: Partial<Seller> = {}): Seller => ({
  projectId,
  legalName: 'Zoë & Söhne "GmbH"',
  address: 'Gasse 1\n1010 Wien\nÖsterreich',
  taxId: 'ATU12345678',
  receiptPrefix: 'NIGHT',
  ...given,
});

const BARE = { legalName: null, address: null, taxId: null, receiptPrefix: null };

/** The seller of each project is kept, and payments take the prefix that it has when they are stored. */
export const sellerTests: StoreTests<Store & ReportStore> = {
  'keeps the last seller of each project as it was written': async ({ store, peer }) => {
    const [{ project }, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const [seller, other] = [sellerOf(project.id), sellerOf(elsewhere.project.id, BARE)];
    await store.saveSeller({ ...seller, ...BARE });
    await store.saveSeller(seller);
    await store.saveSeller(other);
    await expectEach(
      [() => peer.findSeller(project.id), seller, 'the seller of a project'],
      [() => peer.findSeller(elsewhere.project.id), other, 'that of another one'],
      [() => peer.findSeller(aProject().id), null, 'that of an unknown one'],
    );
  },

  'keeps one whole seller of many racing callers': async (underTest) => {
    const { store, peer } = underTest;
    const { project } = await storeFixture(store);
    const sellers = Array.from({ length: 8 }, (_, caller) =>
      sellerOf(project.id, { legalName: `Seller ${caller}`, taxId: `Tax ${caller}` }),
    );
    await race(underTest, sellers.length, async (through, caller) => {
      const seller = sellers[caller];
      if (seller !== undefined) await through.saveSeller(seller);
    });
    const stored = await peer.findSeller(project.id);
    expectThat(
      sellers.some(({ legalName, taxId }) => legalName === stored?.legalName && taxId === stored.taxId),
      'the seller to be that of one caller',
      stored,
    );
  },

  'keeps the prefix that the seller has at the commit of a payment': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    await store.saveSeller(sellerOf(elsewhere.project.id, { receiptPrefix: 'OTHER' }));
    let subscription = fixture.aSubscription();
    const pay = async (ms: number) => {
      const row = { subscriptionId: subscription.id, attemptedAt: at(ms), periodStart: at(ms) };
      const failed = anAttempt({ ...row, attemptedAt: at(-ms), outcome: 'rejected', signature: null });
      await mustCommit(store, aCommit(subscription, { attempts: [anAttempt(row), failed] }));
      subscription = nextVersion(subscription);
    };
    await pay(1);
    await store.saveSeller(sellerOf(fixture.project.id));
    await pay(2);
    await store.saveSeller(sellerOf(fixture.project.id, { receiptPrefix: 'DAY' }));
    await pay(3);
    const page = await store.listAttempts(subscription.id, { limit: 9, startingAfter: null });
    expectThat(page !== 'unknown_cursor', 'a first page not to be unknown_cursor');
    expectEqual(
      page.data.map(({ receiptPrefix, receiptNumber }) => [receiptPrefix, receiptNumber]),
      [['DAY', 3], ['NIGHT', 2], [null, 1], ...Array.from({ length: 3 }, () => [null, null])],
      'the prefixes and numbers, newest first',
    );
  },
};

/** What the deletion of a project does to its seller. */
export const sellersOfDeletedProjectTests: StoreTests<Store & ReportStore & ManagementStore> = {
  'deletes the seller of a project with it, and no other': async ({ store }) => {
    const [{ project: kept }, deleted] = [await storeFixture(store), aProject()];
    await store.insertProject(deleted);
    for (const { id } of [kept, deleted]) await store.saveSeller(sellerOf(id));
    expectEqual(await store.deleteProject(deleted.id), 'deleted', 'the result');
    expectEqual(await store.findSeller(deleted.id), null, 'the seller of the deleted project');
    expectEqual(await store.findSeller(kept.id), sellerOf(kept.id), 'the seller of the other project');
  },
};
