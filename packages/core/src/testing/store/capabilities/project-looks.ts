import type { ProjectLook } from '../../../records/index.js';
import { expectEach, expectThat } from '../../expect.js';
import { aProject } from '../../records.js';
import { race } from '../expect.js';
import { storeFixture } from '../fixture.js';
import type { WithSessions } from '../session-fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** As long as the longest picture that a project can have. */
const LOGO = `data:image/png;base64,${'iVBORw0KGgo+'.repeat(1_400)}`;

/** The look of each project is kept, and is one of those that were stored. */
export const projectLookTests: StoreTests<WithSessions> = {
  'keeps the last look of each project as it was written': async ({ store, peer }) => {
    const [{ project }, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const look: ProjectLook = { projectId: project.id, accent: '#0a7d5a', logo: LOGO };
    const other: ProjectLook = { projectId: elsewhere.project.id, accent: null, logo: null };
    await store.saveProjectLook({ ...look, accent: '#ffffff', logo: null });
    await store.saveProjectLook(look);
    await store.saveProjectLook(other);
    await expectEach(
      [() => peer.findProjectLook(project.id), look, 'the look of a project'],
      [() => peer.findProjectLook(elsewhere.project.id), other, 'that of another one'],
      [() => peer.findProjectLook(aProject().id), null, 'that of an unknown one'],
    );
  },

  'keeps one whole look of many racing callers': async (underTest) => {
    const { store, peer } = underTest;
    const { project } = await storeFixture(store);
    const looks = Array.from({ length: 8 }, (_, caller): ProjectLook => ({
      projectId: project.id,
      accent: `#00000${caller}`,
      logo: `data:image/png;base64,${caller}`,
    }));
    await race(underTest, looks.length, async (through, caller) => {
      const look = looks[caller];
      if (look !== undefined) await through.saveProjectLook(look);
    });
    const stored = await peer.findProjectLook(project.id);
    expectThat(
      looks.some(({ accent, logo }) => accent === stored?.accent && logo === stored.logo),
      'the look to be that of one caller',
      stored,
    );
  },
};
