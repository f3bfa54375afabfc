import { refusedAddressKey } from '../tables.js';
import { changing, replacing, reversing, type BrokenStore } from './break-store.js';

const COMMITTED = 'writes the mails of a commit with its change, and none of a commit that is lost';
const ROUND_TRIP = 'reads a mail as it was written, with amounts up to 2^64 - 1';
const CLAIMED =
  'claims the pending mails that are due, soonest first and by id within one instant, up to the limit';
const CLAIMED_ONCE = 'gives each due mail to exactly one of many racing callers';
const TRIED = 'writes a mail after a try as it was given, whatever became of it';
const TRY_LOST = 'writes no try of a mail that is unknown, settled or claimed by another caller since';
const AGAIN = 'makes a mail that was not sent pending anew, without its tries, and no other';
const HASTENED = 'hastens the mails that wait by a clock that was ahead, up to a limit, and no others';
const FILTERED =
  'lists the mails of a state, of a subscription or of both, and knows the cursors of the list alone';
const PAGED = 'lists the mails of a project page by page, newest first, then by id, while others are written';
const DELETED = 'deletes settled mails by when they were settled, oldest first, a batch at a time';

/** Stores that lose, double or confuse mails. */
const OF_MAILS: readonly BrokenStore[] = [
  {
    promise: COMMITTED,
    fault: 'writes no mails',
    create: replacing(changing((given) => ({ ...given, mails: [] }))),
  },
  {
    promise: COMMITTED,
    fault: 'writes the mails of a commit that is lost',
    create: replacing((operations, { mails }) => ({
      async commit(changes, figures) {
        const result = await operations.commit(changes, figures);
        if (result === 'lost') mails.put(changes.flatMap((change) => change.mails));
        return result;
      },
    })),
  },
  {
    promise: ROUND_TRIP,
    fault: 'keeps amounts as floating point numbers',
    create: replacing(
      changing((given) => ({
        ...given,
        mails: given.mails.map((mail) => ({
          ...mail,
          facts: { ...mail.facts, missing: BigInt(Number(mail.facts.missing)) },
        })),
      })),
    ),
  },
  {
    promise: 'finds, lists and sends again the mails of a project in it alone',
    fault: 'finds a mail by its id alone',
    create: replacing((_, { mails }) => ({ findMail: async (_project, id) => mails.get(id) })),
  },
  {
    promise: CLAIMED,
    fault: 'ignores the limit',
    create: replacing((operations) => ({
      claimMails: (now, _limit, until) => operations.claimMails(now, 1_000, until),
    })),
  },
  {
    promise: CLAIMED,
    fault: 'returns the mails as they were before the claim',
    create: replacing((operations) => ({
      async claimMails(now, limit, until) {
        const { mails, unreadable } = await operations.claimMails(now, limit, until);
        return { mails: mails.map((mail) => ({ ...mail, nextAttemptAt: now })), unreadable };
      },
    })),
  },
  {
    promise: 'leaves a claimed mail alone until its claim ends',
    fault: 'claims without moving the date',
    create: replacing((operations) => ({
      claimMails: (now, limit) => operations.claimMails(now, limit, now),
    })),
  },
  {
    promise: CLAIMED_ONCE,
    fault: 'lets another caller in between the read and the claim',
    create: replacing((operations, { mails }) => ({
      async claimMails(now, limit, until) {
        const due = mails.all().filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= now);
        await Promise.resolve();
        await operations.claimMails(now, limit, until);
        return { mails: due.slice(0, limit), unreadable: [] };
      },
    })),
  },
  {
    promise: TRIED,
    fault: 'drops why a try did not succeed',
    create: replacing((operations) => ({
      settleMail: (mail, claimedUntil) => operations.settleMail({ ...mail, lastError: null }, claimedUntil),
    })),
  },
  {
    promise: 'writes the try of the first of many racing callers',
    fault: 'writes every try',
    create: replacing((_, { mails }) => ({
      async settleMail(mail) {
        mails.put([mail]);
        return 'settled';
      },
    })),
  },
  {
    promise: TRY_LOST,
    fault: 'writes a try whatever claim it was made by',
    create: replacing((operations, { mails }) => ({
      settleMail: (mail, claimedUntil) =>
        operations.settleMail(mail, mails.get(mail.id)?.nextAttemptAt ?? claimedUntil),
    })),
  },
  {
    promise: AGAIN,
    fault: 'keeps the tries',
    create: replacing((operations, { mails }) => ({
      async resendMail(projectId, id, at) {
        const { attempts = 0 } = mails.get(id) ?? {};
        const again = await operations.resendMail(projectId, id, at);
        if (again === null) return null;
        mails.put([{ ...again, attempts }]);
        return { ...again, attempts };
      },
    })),
  },
  {
    promise: AGAIN,
    fault: 'sends again what was sent',
    create: replacing((operations, { mails }) => ({
      resendMail(projectId, id, at) {
        const mail = mails.get(id);
        if (mail?.state === 'sent') mails.put([{ ...mail, state: 'failed' }]);
        return operations.resendMail(projectId, id, at);
      },
    })),
  },
  {
    promise: HASTENED,
    fault: 'hastens those that wait for a retry too',
    create: replacing((operations) => ({
      hastenMails: (untriedAfter, _, at, limit) =>
        operations.hastenMails(untriedAfter, untriedAfter, at, limit),
    })),
  },
  {
    promise: HASTENED,
    fault: 'knows no limit',
    create: replacing((operations) => ({
      hastenMails: (untriedAfter, after, at) => operations.hastenMails(untriedAfter, after, at, 1_000),
    })),
  },
  {
    promise: 'sends a mail again for one of many racing callers',
    fault: 'sends again what is pending',
    create: replacing((_, { mails }) => ({
      async resendMail(_project, id, at) {
        const mail = mails.get(id);
        if (mail !== null) mails.put([{ ...mail, state: 'pending', nextAttemptAt: at }]);
        return mail;
      },
    })),
  },
  {
    promise: PAGED,
    fault: 'counts mails instead of starting after one',
    create: replacing((operations, { mails }) => {
      let seen = 0;
      return {
        async listMails(projectId, filter, { limit, startingAfter }) {
          if (startingAfter === null) seen = 0;
          const all = { limit: mails.all().length, startingAfter: null };
          const page = await operations.listMails(projectId, filter, all);
          if (page === 'unknown_cursor') return page;
          const data = page.data.slice(seen, seen + limit);
          seen += data.length;
          return { data, hasMore: seen < page.data.length };
        },
      };
    }),
  },
  {
    promise: FILTERED,
    fault: 'takes one filter at a time',
    create: replacing((operations) => ({
      listMails: (projectId, filter, page) =>
        operations.listMails(
          projectId,
          filter.state === null ? filter : { ...filter, subscriptionId: null },
          page,
        ),
    })),
  },
  {
    promise: FILTERED,
    fault: 'begins anew after a mail that is not in the list',
    create: replacing((operations) => ({
      async listMails(projectId, filter, page) {
        const listed = await operations.listMails(projectId, filter, page);
        if (listed !== 'unknown_cursor') return listed;
        return operations.listMails(projectId, filter, { ...page, startingAfter: null });
      },
    })),
  },
  {
    promise: DELETED,
    fault: 'deletes mails by when they were created',
    create: replacing((operations, { mails }) => ({
      deleteMails(settledBefore, limit, after) {
        const settled = mails.all().filter(({ settledAt }) => settledAt !== null);
        mails.put(settled.map((mail) => ({ ...mail, settledAt: mail.createdAt })));
        return operations.deleteMails(settledBefore, limit, after);
      },
    })),
  },
  {
    promise: 'deletes each settled mail once, of many racing callers, and none that is sent again',
    fault: 'deletes what it read before another caller sent it again',
    create: replacing((_, { mails }) => ({
      async deleteMails() {
        const old = mails.all().filter(({ state }) => state !== 'pending');
        await new Promise((later) => setTimeout(later, 1));
        mails.delete(old.map(({ id }) => id));
        return { changed: old.length, next: null };
      },
    })),
  },
];

/** Stores that confuse the settings of projects, or the addresses that they send nothing to. */
const OF_SETTINGS: readonly BrokenStore[] = [
  {
    promise: 'keeps the last mail settings of each project as they were written',
    fault: 'sorts the kinds',
    create: replacing((operations) => ({
      saveMailSettings: (settings) =>
        operations.saveMailSettings({ ...settings, off: settings.off.toSorted() }),
    })),
  },
  {
    promise: 'keeps the whole mail settings of one of many racing callers',
    fault: 'keeps the language of the first caller',
    create: replacing((operations) => {
      let language: string | null = null;
      return {
        saveMailSettings(settings) {
          language ??= settings.language;
          return operations.saveMailSettings({ ...settings, language });
        },
      };
    }),
  },
  {
    promise: 'keeps the first refusal of an address in a project, of many racing callers too',
    fault: 'keeps the last one',
    create: replacing((_, { refusedAddresses }) => ({
      refuseAddress: async (refused) => void refusedAddresses.put([refused]),
    })),
  },
  {
    promise: 'lists the refused addresses of a project, newest first, then by address, at most the limit',
    fault: 'lists the oldest first',
    create: replacing(reversing('listRefusedAddresses')),
  },
  {
    promise: 'takes an address back once, of many racing callers, and in its project alone',
    fault: 'says of every address that it was set aside',
    create: replacing((operations) => ({
      async acceptAddress(projectId, address) {
        await operations.acceptAddress(projectId, address);
        return true;
      },
    })),
  },
  {
    promise: 'takes an address back once, of many racing callers, and in its project alone',
    fault: 'takes it back in every project',
    create: replacing((operations, { refusedAddresses }) => ({
      async acceptAddress(projectId, address) {
        const isRefused = await operations.acceptAddress(projectId, address);
        const others = refusedAddresses.all().filter((row) => row.address === address);
        refusedAddresses.delete(others.map(refusedAddressKey));
        return isRefused;
      },
    })),
  },
  {
    promise: 'deletes the mail settings and the refused addresses of a project with it, and no others',
    fault: 'leaves the refused addresses of a deleted project',
    create: replacing((operations, { refusedAddresses }) => ({
      async deleteProject(id) {
        const before = refusedAddresses.all();
        const result = await operations.deleteProject(id);
        refusedAddresses.put(before);
        return result;
      },
    })),
  },
];

export const BROKEN_MAILS: readonly BrokenStore[] = [...OF_MAILS, ...OF_SETTINGS];
