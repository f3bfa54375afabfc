import type { BatchCursor, MailFilter } from '../../../ports/store.js';
import type { Mail } from '../../../records/index.js';
import { expectEach, expectEqual } from '../../expect.js';
import { aMail } from '../../mail-records.js';
import { aCommit } from '../../records.js';
import { expectOneWinner, race } from '../expect.js';
import { at, nextVersion, storeFixture } from '../fixture.js';
import { settledAs, storeMail, storeMails, UNTIL, type WithMails } from '../mail-fixture.js';
import { allParts, created, INSTANTS, newestFirst, readAllPages } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';

const U64 = 2n ** 64n - 1n;
const UNUSUAL_TEXT = 'Zoë\'s ☕ 𝄞 "\\ %_ ; -- null';
const EVERY_MAIL: MailFilter = { state: null, subscriptionId: null };
/** Every state of a mail that was settled, and not sent. */
const NOT_SENT = ['failed', 'refused', 'left_out'] as const;

const idsOf = (mails: readonly { readonly id: string }[]) => mails.map(({ id }) => id);

/** Mails are written with what caused them, and each is tried by one caller at a time. */
export const mailTests: StoreTests<WithMails> = {
  'writes the mails of a commit with its change, and none of a commit that is lost': async ({
    store,
    peer,
  }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const of = { projectId: fixture.project.id, subscriptionId: subscription.id };
    const [first, second, lost] = [aMail(of), aMail({ ...of, createdAt: at(1) }), aMail(of)];
    expectEqual(
      [
        await store.commit([aCommit(subscription, { mails: [first] })]),
        await store.commit([aCommit(nextVersion(subscription), { mails: [second] })]),
        // It names no version that is stored, and the other change of the commit goes with it.
        await store.commit([
          aCommit(fixture.aSubscription(), { mails: [lost] }),
          aCommit(nextVersion(subscription), { mails: [aMail(of)] }),
        ]),
      ],
      ['committed', 'committed', 'lost'],
      'the results of three commits',
    );
    const page = await peer.listMails(fixture.project.id, EVERY_MAIL, { limit: 9, startingAfter: null });
    expectEqual(page, { data: [second, first], hasMore: false }, 'the mails of the project');
  },

  'reads a mail as it was written, with amounts up to 2^64 - 1': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const rows: readonly Partial<Mail>[] = [
      {
        kind: 'last_try',
        email: "o'brien+☕@exämple.com",
        facts: {
          amount: U64,
          missing: U64,
          periodStart: at(1),
          periodEnd: at(2),
          signature: 'Signature',
          reason: UNUSUAL_TEXT,
          dueAt: at(3),
          accessUntil: at(4),
          retriesLeft: 0,
          byHand: true,
        },
        createdAt: at(-1),
        attempts: 3,
        firstAttemptAt: at(5),
        nextAttemptAt: at(123_456_789),
        lastError: UNUSUAL_TEXT,
      },
      settledAs('sent'),
      { eventId: null, kind: 'renewal_ahead' },
    ];
    for (const mail of await storeMails(store, fixture, rows))
      expectEqual(await peer.findMail(fixture.project.id, mail.id), mail, 'the mail');
  },

  'finds, lists and sends again the mails of a project in it alone': async ({ store }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const mail = await storeMail(store, fixture, settledAs('failed'));
    const page = { limit: 9, startingAfter: null };
    await expectEach(
      [() => store.findMail(elsewhere.project.id, mail.id), null, 'the mail by another project'],
      [() => store.findMail(fixture.project.id, aMail().id), null, 'an unknown mail'],
      [
        () => store.resendMail(elsewhere.project.id, mail.id, at(9)),
        null,
        'what another project sends again',
      ],
      [
        () => store.listMails(elsewhere.project.id, EVERY_MAIL, page),
        { data: [], hasMore: false },
        'the mails of another project',
      ],
      [() => store.findMail(fixture.project.id, mail.id), mail, 'the mail by its project'],
    );
  },

  'claims the pending mails that are due, soonest first and by id within one instant, up to the limit':
    async ({ store, peer }) => {
      const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
      const mails = [
        ...(await storeMails(
          store,
          fixture,
          [5, 3, 3, 1, 10].map((ms) => ({ nextAttemptAt: at(ms) })),
        )),
        ...(await storeMails(store, elsewhere, [{ nextAttemptAt: at(3) }])),
      ];
      await storeMails(store, elsewhere, [{ nextAttemptAt: at(11) }, settledAs('sent')]);
      const soonest = mails.toSorted(
        (one, other) =>
          Number(one.nextAttemptAt) - Number(other.nextAttemptAt) || (one.id < other.id ? -1 : 1),
      );
      const claimed = soonest.map((mail) => ({ ...mail, nextAttemptAt: UNTIL }));
      await expectEach(
        [() => store.claimMails(at(0), 9, UNTIL), { mails: [], unreadable: [] }, 'a claim before any is due'],
        [() => store.claimMails(at(10), 3, UNTIL), { mails: claimed.slice(0, 3), unreadable: [] }, 'a claim'],
        [
          () => peer.claimMails(at(10), 9, UNTIL),
          { mails: claimed.slice(3), unreadable: [] },
          'the next one',
        ],
        [
          () => store.claimMails(at(10), 9, UNTIL),
          { mails: [], unreadable: [] },
          'a claim when all are taken',
        ],
      );
      for (const mail of claimed)
        expectEqual(await peer.findMail(mail.projectId, mail.id), mail, 'a claimed mail that is read again');
    },

  'leaves a claimed mail alone until its claim ends': async ({ store, peer }) => {
    const mail = await storeMail(store, await storeFixture(store));
    await store.claimMails(at(1), 9, UNTIL);
    const idsAt = async (now: Date) => idsOf((await peer.claimMails(now, 9, at(999_999))).mails);
    await expectEach(
      [() => idsAt(new Date(UNTIL.getTime() - 1)), [], 'what is claimed before the end'],
      [() => idsAt(UNTIL), [mail.id], 'what is claimed at the end'],
    );
  },

  'gives each due mail to exactly one of many racing callers': async (underTest) => {
    const { store } = underTest;
    const mails = await storeMails(store, await storeFixture(store), Array(30).fill({}));
    const claims = await race(underTest, 8, (through) => through.claimMails(at(1), 5, UNTIL));
    const rest = await store.claimMails(at(1), 99, UNTIL);
    const ids = [...claims, rest].flatMap(({ mails: claimed }) => idsOf(claimed));
    expectEqual(ids.toSorted(), idsOf(mails).toSorted(), 'the ids of all claims');
  },

  'writes a mail after a try as it was given, whatever became of it': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    for (const given of [
      { attempts: 1, firstAttemptAt: at(1), nextAttemptAt: at(60_000), lastError: UNUSUAL_TEXT },
      ...(['sent', ...NOT_SENT] as const).map((state) => settledAs(state)),
    ]) {
      const { id, projectId } = await storeMail(store, fixture);
      const claimed = (await store.claimMails(at(1), 9, UNTIL)).mails.find((mail) => mail.id === id) as Mail;
      const tried = { ...claimed, ...given };
      expectEqual(await store.settleMail(tried, UNTIL), 'settled', 'the result');
      expectEqual(await peer.findMail(projectId, id), tried, 'the mail');
    }
    expectEqual((await store.claimMails(at(59_999), 9, UNTIL)).mails, [], 'what is claimed before the retry');
    expectEqual((await store.claimMails(at(60_000), 9, UNTIL)).mails.length, 1, 'how many are claimed at it');
  },

  'writes the try of the first of many racing callers': async (underTest) => {
    const { store } = underTest;
    const fixture = await storeFixture(store);
    await storeMail(store, fixture);
    const claimed = (await store.claimMails(at(1), 9, UNTIL)).mails[0] as Mail;
    const tries = NOT_SENT.flatMap((state) => [1, 2].map((ms) => ({ ...claimed, ...settledAs(state, ms) })));
    const results = await race(underTest, tries.length, (through, caller) =>
      through.settleMail(tries[caller] as Mail, UNTIL),
    );
    expectOneWinner(results, 'settled', 'lost', 'tries of one claim');
    const stored = await store.findMail(fixture.project.id, claimed.id);
    expectEqual(stored, tries[results.indexOf('settled')], 'the mail');
  },

  'writes no try of a mail that is unknown, settled or claimed by another caller since': async ({
    store,
  }) => {
    const fixture = await storeFixture(store);
    const [mail, sent] = await storeMails(store, fixture, [{}, settledAs('sent')]);
    const { mails } = await store.claimMails(at(1), 9, UNTIL);
    await store.claimMails(UNTIL, 9, at(240_000));
    const tried = { ...(mails[0] as Mail), ...settledAs('failed') };
    await expectEach(
      [() => store.settleMail(tried, UNTIL), 'lost', 'the try of a caller whose claim ended'],
      [() => store.settleMail({ ...(sent as Mail), attempts: 2 }, UNTIL), 'lost', 'the try of a sent mail'],
      [
        () => store.settleMail(aMail({ projectId: fixture.project.id }), UNTIL),
        'lost',
        'that of an unknown one',
      ],
      [
        () => store.findMail(fixture.project.id, tried.id),
        { ...mail, nextAttemptAt: at(240_000) },
        'the mail that is claimed',
      ],
      [() => store.findMail(fixture.project.id, sent?.id as Mail['id']), sent, 'the mail that was sent'],
      [() => store.settleMail(tried, at(240_000)), 'settled', 'the try of the caller that has it'],
    );
  },

  'makes a mail that was not sent pending anew, without its tries, and no other': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    for (const state of NOT_SENT) {
      const mail = await storeMail(store, fixture, settledAs(state));
      const untried = { attempts: 0, firstAttemptAt: null, settledAt: null, lastError: null };
      const again = { ...mail, state: 'pending', nextAttemptAt: at(77), ...untried };
      await expectEach(
        [() => store.resendMail(fixture.project.id, mail.id, at(77)), again, `a mail that was ${state}`],
        [() => peer.findMail(fixture.project.id, mail.id), again, 'the stored mail'],
      );
    }
    for (const given of [{}, settledAs('sent')]) {
      const mail = await storeMail(store, fixture, given);
      await expectEach(
        [() => store.resendMail(fixture.project.id, mail.id, at(77)), null, `one that is ${mail.state}`],
        [() => peer.findMail(fixture.project.id, mail.id), mail, 'the stored mail'],
      );
    }
    expectEqual((await store.claimMails(at(77), 9, UNTIL)).mails.length, 4, 'how many are due then');
  },

  'hastens the mails that wait by a clock that was ahead, up to a limit, and no others': async ({
    store,
  }) => {
    const fixture = await storeFixture(store);
    const tried = { attempts: 1, firstAttemptAt: at(1) };
    const mails = await storeMails(store, fixture, [
      ...[{ nextAttemptAt: at(50) }, { nextAttemptAt: at(51) }],
      ...[
        { ...tried, nextAttemptAt: at(500) },
        { ...tried, nextAttemptAt: at(501) },
      ],
      settledAs('sent', 900),
    ]);
    const hasten = (limit: number) => store.hastenMails(at(50), at(500), at(5), limit);
    const hastened = [await hasten(1), await hasten(9), await hasten(9)];
    expectEqual(hastened, [1, 1, 0], 'how many each call hastened');
    for (const [place, mail] of mails.entries())
      expectEqual(
        await store.findMail(fixture.project.id, mail.id),
        place === 1 || place === 3 ? { ...mail, nextAttemptAt: at(5) } : mail,
        `mail ${place}`,
      );
  },

  'sends a mail again for one of many racing callers': async (underTest) => {
    const { store } = underTest;
    const fixture = await storeFixture(store);
    const { id, projectId } = await storeMail(store, fixture, settledAs('failed'));
    const results = await race(underTest, 8, async (through, caller) =>
      (await through.resendMail(projectId, id, at(caller))) === null ? 'lost' : 'resent',
    );
    expectOneWinner(results, 'resent', 'lost', 'callers who send one mail again');
    const { nextAttemptAt } = (await store.findMail(projectId, id)) as Mail;
    expectEqual(nextAttemptAt, at(results.indexOf('resent')), 'when the mail is due');
  },

  'lists the mails of a project page by page, newest first, then by id, while others are written': async ({
    store,
    peer,
  }) => {
    const fixture = await storeFixture(store);
    const mails: Mail[] = [];
    for (const createdAt of INSTANTS) mails.push(await storeMail(store, fixture, { createdAt }));
    const seen = await readAllPages<Mail>(
      (page) => peer.listMails(fixture.project.id, EVERY_MAIL, page),
      async () => void (await storeMail(store, fixture, { createdAt: at(10) })),
    );
    expectEqual(seen, newestFirst(mails, created), 'the ids of all pages');
  },

  'lists the mails of a state, of a subscription or of both, and knows the cursors of the list alone':
    async ({ store }) => {
      const fixture = await storeFixture(store);
      const states = ['pending', 'sent', 'failed', 'refused', 'left_out', 'failed', 'sent'] as const;
      const rows = states.map((state, ms) => ({
        ...(state === 'pending' ? {} : settledAs(state)),
        createdAt: at(ms),
      }));
      const mails = await storeMails(store, fixture, rows);
      const others = await storeMails(store, fixture, rows);
      const subscriptionId = mails[0]?.subscriptionId ?? null;
      const list = (filter: Partial<MailFilter>, startingAfter: Mail['id'] | null = null) =>
        store.listMails(fixture.project.id, { ...EVERY_MAIL, ...filter }, { limit: 99, startingAfter });
      for (const state of states) {
        const ofState = (all: readonly Mail[]) =>
          newestFirst(
            all.filter((mail) => mail.state === state),
            created,
          );
        const listed = async (filter: Partial<MailFilter>) => {
          const page = await list(filter);
          return page === 'unknown_cursor' ? page : idsOf(page.data);
        };
        await expectEach(
          [() => listed({ state }), ofState([...mails, ...others]), `those that are ${state}`],
          [() => listed({ state, subscriptionId }), ofState(mails), 'those of a subscription'],
        );
      }
      await expectEach(
        [
          () => list({ subscriptionId }, mails[5]?.id),
          { data: mails.slice(0, 5).toReversed(), hasMore: false },
          'the mails of a subscription after one of them',
        ],
        [() => list({ subscriptionId }, others[5]?.id), 'unknown_cursor', 'those after one of another'],
        [() => list({ state: 'sent' }, mails[5]?.id), 'unknown_cursor', 'those after one of another state'],
        [() => list({}, aMail().id), 'unknown_cursor', 'those after an unknown one'],
      );
    },

  'deletes settled mails by when they were settled, oldest first, a batch at a time': async ({ store }) => {
    const fixture = await storeFixture(store);
    const states = ['sent', ...NOT_SENT] as const;
    const settled = await storeMails(
      store,
      fixture,
      INSTANTS.map((settledAt, place) => ({
        ...settledAs(states[place % states.length] ?? 'sent'),
        ...{ settledAt, createdAt: at(-place) },
      })),
    );
    const pending = await storeMail(store, fixture, { createdAt: at(-99) });
    const [oldest] = settled
      .filter(({ settledAt }) => settledAt?.getTime() === at(1).getTime())
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const first = await store.deleteMails(at(9), 1, null);
    expectEqual(first, { changed: 1, next: { at: at(1), id: oldest?.id } }, 'the first batch of one');
    const rest = await allParts((after: BatchCursor | null) =>
      store.deleteMails(at(9), 2, after ?? first.next),
    );
    expectEqual(
      rest.map(({ changed }) => changed),
      [2, 2, 2, 0],
      'how many the batches of two after it deleted',
    );
    const left = [pending, ...settled.filter(({ settledAt }) => Number(settledAt) >= at(9).getTime())];
    const page = await store.listMails(fixture.project.id, EVERY_MAIL, { limit: 99, startingAfter: null });
    const ids = page === 'unknown_cursor' ? page : idsOf(page.data).toSorted();
    expectEqual(ids, idsOf(left).toSorted(), 'the mails that are left');
    expectEqual(await store.deleteMails(at(9), 2, null), { changed: 0, next: null }, 'a batch of nothing');
  },

  'deletes each settled mail once, of many racing callers, and none that is sent again': async (
    underTest,
  ) => {
    const { store } = underTest;
    const fixture = await storeFixture(store);
    const mails = await storeMails(store, fixture, Array(6).fill(settledAs('failed')));
    const counts = await race(underTest, 2 * mails.length, async (through, caller) => {
      if (caller % 3 === 0)
        return { deleted: (await through.deleteMails(at(9), 99, null)).changed, resent: 0 };
      const { id, projectId } = mails[caller % mails.length] as Mail;
      return { deleted: 0, resent: (await through.resendMail(projectId, id, at(1))) === null ? 0 : 1 };
    });
    const sum = (of: 'deleted' | 'resent') => counts.reduce((total, count) => total + count[of], 0);
    expectEqual(sum('deleted') + sum('resent'), 6, 'how many were deleted or sent again');
    const { mails: claimed } = await store.claimMails(at(1), 99, UNTIL);
    expectEqual(claimed.length, sum('resent'), 'how many of those that were sent again are there');
  },
};
