import type { Link } from '../../../records/index.js';
import { expectEach, expectEqual, expectRejection, expectThat } from '../../expect.js';
import { aLink, aProject } from '../../records.js';
import { expectCounts, race } from '../expect.js';
import { at, storeFixture } from '../fixture.js';
import { created, INSTANTS, newestFirst } from '../pages.js';
import { storeLink, type WithSessions } from '../session-fixture.js';
import type { StoreTests } from '../store-under-test.js';

const UNUSUAL_TEXT = 'Zoë\'s ☕ 𝄞 "\\ %_ ; -- null';

/** Links are kept, and end once. */
export const linkTests: StoreTests<WithSessions> = {
  'reads a link as it was written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const full = await storeLink(store, fixture, {
      askEmail: true,
      successUrl: `https://example.com/?q=${UNUSUAL_TEXT}`,
      createdAt: at(1),
      endedAt: at(2),
    });
    const bare = await storeLink(store, fixture);
    await expectEach(
      [() => peer.findLink(full.id), full, 'a link with every field, which was ended'],
      [() => peer.findLink(bare.id), bare, 'a link with null in every nullable field'],
      [() => peer.findLink(aLink().id), null, 'an unknown link'],
    );
  },

  'refuses a second link with one id': async ({ store, raw }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const link = await storeLink(store, fixture);
    await expectRejection(storeLink(store, elsewhere, { id: link.id }), 'a second link with one id');
    expectEqual(await store.findLink(link.id), link, 'the first link');
    await expectCounts(raw, { links: 1 });
  },

  'lists every link of a project newest first, then by id, ended ones too': async ({ store, peer }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const links: Link[] = [];
    for (const [place, createdAt] of INSTANTS.entries())
      links.push(await storeLink(store, fixture, { createdAt, endedAt: place === 1 ? at(50) : null }));
    await storeLink(store, elsewhere);
    expectEqual(
      (await peer.listLinks(fixture.project.id)).map(({ id }) => id),
      newestFirst(links, created),
      'the links of a project',
    );
    expectEqual(await store.listLinks(aProject().id), [], 'the links of an unknown project');
  },

  'ends a link once, for the first of many racing callers, and none of another project': async (
    underTest,
  ) => {
    const { store, peer } = underTest;
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const [link, other] = [await storeLink(store, fixture), await storeLink(store, fixture)];
    expectEqual(
      await store.endLink(elsewhere.project.id, link.id, at(1)),
      null,
      'the result for the link of another project',
    );
    expectEqual(await store.endLink(fixture.project.id, aLink().id, at(1)), null, 'that for an unknown link');
    expectEqual(await store.findLink(link.id), link, 'the link that another project asked to end');
    const results = await race(underTest, 8, (through, caller) =>
      through.endLink(fixture.project.id, link.id, at(10 + caller)),
    );
    const endedAt = results[0]?.endedAt ?? null;
    expectThat(endedAt !== null && endedAt >= at(10), 'the link to be ended by a caller', results[0]);
    const ended = { ...link, endedAt };
    expectEqual(results, Array(8).fill(ended), 'the link as each caller got it');
    expectEqual(await peer.endLink(fixture.project.id, link.id, at(1)), ended, 'that of a later caller');
    expectEqual(await peer.findLink(link.id), ended, 'the stored link');
    expectEqual(await peer.findLink(other.id), other, 'the other link');
  },
};
