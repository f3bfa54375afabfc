import { describe, expect, it } from 'vitest';

import type { Notice, Notices } from '../ports/index.js';
import { ManualClock } from '../testing/manual-clock.js';
import { createTroubles } from './troubles.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');

/** Troubles whose notices go where the test says, with what was logged. */
function fixture(notify: Notices['notify']) {
  const clock = new ManualClock(NOW);
  const logged: string[] = [];
  const log = (level: string) => (facts: object, message: string) =>
    void logged.push(`${level} ${'trouble' in facts ? String(facts.trouble) : ''}: ${message}`);
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  return { clock, logged, troubles: createTroubles({ clock, logger, notices: { notify } }) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

// troubles#notices
describe('the notices of troubles', () => {
  it('are told and logged once at the begin and once at the end', async () => {
    const told: Notice[] = [];
    const { troubles, clock, logged } = fixture(async (notice) => void told.push(notice));
    troubles.seen({ kind: 'charger_empty', facts: { charges: '0' } });
    troubles.seen({ kind: 'charger_empty', facts: { charges: '0' } });
    await settle();
    clock.advance(60_000);
    troubles.over('charger_empty');
    troubles.over('charger_empty');
    await settle();
    const trouble = { key: 'charger_empty', kind: 'charger_empty', subject: null, severity: 'error' };
    const facts = { charges: '0' };
    expect(told).toEqual([
      {
        ...trouble,
        facts,
        since: NOW,
        change: 'began',
        at: NOW,
        message: expect.stringMatching(/^The/) as string,
      },
      {
        ...{ ...trouble, facts, since: NOW, change: 'ended', at: clock.now() },
        message: expect.stringMatching(/^The/) as string,
      },
    ]);
    expect(logged).toEqual([
      expect.stringMatching(/^error charger_empty: /),
      expect.stringMatching(/^info charger_empty: /),
    ]);
    expect(troubles.open()).toEqual([]);
  });

  it.each<[string, () => Promise<void>]>([
    ['rejects', () => Promise.reject(new Error('no network'))],
    [
      'throws',
      () => {
        throw new Error('a bug of the adapter');
      },
    ],
  ])('are given up, and the next are told, when the adapter %s', async (_, fail) => {
    const told: string[] = [];
    const { troubles, logged } = fixture((notice) => {
      told.push(notice.key);
      return fail();
    });
    troubles.seen({ kind: 'charger_empty' });
    troubles.seen({ kind: 'signer_failing' });
    await settle();
    expect(told).toEqual(['charger_empty', 'signer_failing']);
    expect(logged.filter((line) => line.includes('could not be told'))).toHaveLength(2);
  });

  it('are given up after half a minute when the adapter hangs, and nobody waits for them', async () => {
    const told: string[] = [];
    const { troubles, clock, logged } = fixture((notice) => {
      told.push(notice.key);
      return new Promise(() => undefined);
    });
    troubles.seen({ kind: 'charger_empty' });
    troubles.seen({ kind: 'signer_failing' });
    await settle();
    expect(told).toEqual(['charger_empty']);
    clock.advance(30_000);
    await settle();
    expect(told).toEqual(['charger_empty', 'signer_failing']);
    expect(logged).toContain('warn charger_empty: A notice was not accepted in time. It is given up.');
  });

  it('are given up, the oldest first, when more than a hundred wait for an adapter that hangs', async () => {
    const { troubles, logged } = fixture(() => new Promise(() => undefined));
    for (let plan = 0; plan < 105; plan += 1)
      troubles.seen({ kind: 'plan_without_charger', subject: String(plan) });
    await settle();
    expect(logged.filter((line) => line.includes('Too many notices wait'))).toHaveLength(4);
    expect(troubles.open()).toHaveLength(105);
  });
});
