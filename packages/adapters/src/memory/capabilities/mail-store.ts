import type { Mail, MailStore } from '@subrail/core/ports';
import { batchOf, byText, newestFirst, pageOf } from '../order.js';
import { refusedAddressKey, type Tables } from '../tables.js';

export function mailStore({ mails, mailSettings, refusedAddresses }: Tables): MailStore {
  return {
    async claimMails(now, limit, until) {
      const claimed = mails.takeDue(now, limit).map((row) => ({ ...row, nextAttemptAt: until }));
      mails.put(claimed);
      return { mails: claimed, unreadable: [] };
    },
    async settleMail(mail, claimedUntil) {
      const stored = mails.get(mail.id);
      if (stored?.state !== 'pending' || stored.nextAttemptAt?.getTime() !== claimedUntil.getTime())
        return 'lost';
      mails.put([mail]);
      return 'settled';
    },
    async resendMail(projectId, id, at) {
      const stored = mails.get(id);
      if (stored?.projectId !== projectId || stored.state === 'pending' || stored.state === 'sent')
        return null;
      const mail: Mail = {
        ...stored,
        state: 'pending',
        attempts: 0,
        firstAttemptAt: null,
        nextAttemptAt: at,
        settledAt: null,
        lastError: null,
      };
      mails.put([mail]);
      return mail;
    },
    async hastenMails(untriedAfter, after, at, limit) {
      const ahead = mails
        .all()
        .filter(({ state }) => state === 'pending')
        .filter(
          ({ attempts, nextAttemptAt: next }) =>
            next !== null && next > (attempts === 0 ? untriedAfter : after),
        )
        .slice(0, limit);
      mails.put(ahead.map((mail) => ({ ...mail, nextAttemptAt: at })));
      return ahead.length;
    },
    async findMail(projectId, id) {
      const mail = mails.get(id);
      return mail?.projectId === projectId ? mail : null;
    },
    async listMails(projectId, { state, subscriptionId }, page) {
      const listed = mails
        .where('project', projectId)
        .filter((mail) => state === null || mail.state === state)
        .filter((mail) => subscriptionId === null || mail.subscriptionId === subscriptionId);
      return pageOf(newestFirst(listed), page);
    },

    async saveMailSettings(settings) {
      mailSettings.put([settings]);
    },
    async findMailSettings(projectId) {
      return mailSettings.get(projectId);
    },
    async refuseAddress(refused) {
      // Another one with its key stays.
      refusedAddresses.insert([refused]);
    },
    async findRefusedAddress(projectId, address) {
      return refusedAddresses.get(refusedAddressKey({ projectId, address }));
    },
    async listRefusedAddresses(projectId, limit) {
      return refusedAddresses
        .where('project', projectId)
        .sort(
          (one, other) =>
            other.refusedAt.getTime() - one.refusedAt.getTime() || byText(other.address, one.address),
        )
        .slice(0, limit);
    },
    async acceptAddress(projectId, address) {
      const key = refusedAddressKey({ projectId, address });
      const isRefused = refusedAddresses.get(key) !== null;
      refusedAddresses.delete([key]);
      return isRefused;
    },

    async deleteMails(settledBefore, limit, after) {
      const old = mails
        .all()
        .filter(
          ({ state, settledAt }) => state !== 'pending' && settledAt !== null && settledAt < settledBefore,
        );
      const { batch, next } = batchOf(old, ({ settledAt }) => settledAt, limit, after);
      mails.delete(batch.map(({ id }) => id));
      return { changed: batch.length, next };
    },
  };
}
