import type { MailSettings, RefusedAddress } from '../../../records/index.js';
import { expectEach, expectEqual, expectThat } from '../../expect.js';
import { aProject } from '../../records.js';
import { expectOneWinner, race } from '../expect.js';
import { at, storeFixture } from '../fixture.js';
import { INSTANTS } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';
import type { WithMails } from '../mail-fixture.js';

const ADDRESS = "o'brien+☕@exämple.com";

/** How a project sends its mails, and to whom it sends none. */
export const mailSettingsTests: StoreTests<WithMails> = {
  'keeps the last mail settings of each project as they were written': async ({ store, peer }) => {
    const [{ project }, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const settings: MailSettings = {
      ...{ projectId: project.id, off: ['stopped', 'ended', 'cannot_pay'] },
      ...{ replyTo: ADDRESS, language: 'de' },
    };
    const bare: MailSettings = { projectId: elsewhere.project.id, off: [], replyTo: null, language: null };
    await store.saveMailSettings({ ...settings, off: ['receipt'], replyTo: null, language: null });
    await store.saveMailSettings(settings);
    await store.saveMailSettings(bare);
    await expectEach(
      [() => peer.findMailSettings(project.id), settings, 'the settings of a project'],
      [() => peer.findMailSettings(elsewhere.project.id), bare, 'those of another one'],
      [() => peer.findMailSettings(aProject().id), null, 'those of an unknown one'],
    );
  },

  'keeps the whole mail settings of one of many racing callers': async (underTest) => {
    const { store, peer } = underTest;
    const { project } = await storeFixture(store);
    await race(underTest, 8, (through, caller) =>
      through.saveMailSettings({
        ...{ projectId: project.id, off: [], replyTo: `${caller}@example.com`, language: `l${caller}` },
      }),
    );
    const stored = await peer.findMailSettings(project.id);
    const caller = stored?.replyTo?.[0];
    expectThat(caller !== undefined && stored?.language === `l${caller}`, 'settings of one caller', stored);
  },

  'keeps the first refusal of an address in a project, of many racing callers too': async (underTest) => {
    const { store, peer } = underTest;
    const [{ project }, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const refusal = (caller: number): RefusedAddress => ({
      ...{ projectId: project.id, address: ADDRESS, reason: `${caller}: "no" ☕`, refusedAt: at(caller) },
    });
    await race(underTest, 8, (through, caller) => through.refuseAddress(refusal(caller)));
    const stored = await peer.findRefusedAddress(project.id, ADDRESS);
    expectThat(stored !== null, 'a refused address');
    expectEqual(stored, refusal(Number(stored.reason[0])), 'what one caller wrote');
    await peer.refuseAddress(refusal(9));
    await expectEach(
      [() => store.findRefusedAddress(project.id, ADDRESS), stored, 'it after a later refusal'],
      [() => store.findRefusedAddress(elsewhere.project.id, ADDRESS), null, 'it in another project'],
      [() => store.findRefusedAddress(project.id, ADDRESS.toUpperCase()), null, 'another address'],
    );
  },

  'lists the refused addresses of a project, newest first, then by address, at most the limit': async ({
    store,
    peer,
  }) => {
    const [{ project }, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const refused = INSTANTS.map((refusedAt, place): RefusedAddress => ({
      ...{ projectId: project.id, address: `${(place * 5) % 9}@example.com`, reason: 'No.', refusedAt },
    }));
    for (const one of refused) await store.refuseAddress(one);
    await store.refuseAddress({ ...(refused[0] as RefusedAddress), projectId: elsewhere.project.id });
    const inOrder = refused.toSorted(
      (one, other) =>
        other.refusedAt.getTime() - one.refusedAt.getTime() || (one.address < other.address ? 1 : -1),
    );
    await expectEach(
      [() => peer.listRefusedAddresses(project.id, 99), inOrder, 'all addresses'],
      [() => peer.listRefusedAddresses(project.id, 4), inOrder.slice(0, 4), 'the newest four'],
    );
  },

  'takes an address back once, of many racing callers, and in its project alone': async (underTest) => {
    const { store } = underTest;
    const [{ project }, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const of = { address: ADDRESS, reason: 'No.', refusedAt: at(1) };
    for (const { id: projectId } of [project, elsewhere.project])
      await store.refuseAddress({ projectId, ...of });
    const results = await race(underTest, 8, (through) => through.acceptAddress(project.id, ADDRESS));
    expectOneWinner(results, true, false, 'callers who take an address back');
    await expectEach(
      [() => store.findRefusedAddress(project.id, ADDRESS), null, 'the address'],
      [
        async () => (await store.listRefusedAddresses(elsewhere.project.id, 9)).length,
        1,
        'how many are left',
      ],
      [() => store.acceptAddress(project.id, 'unknown@example.com'), false, 'the result for an unknown one'],
    );
  },
};
