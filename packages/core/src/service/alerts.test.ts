import { describe, expect, it } from 'vitest';

import type { AlertNotification, AlertNotifier } from '../ports/index.js';
import { ManualClock } from '../testing/manual-clock.js';
import { createAlerts } from './alerts.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');

/** Alerts whose notifications go where the test says, with what was logged. */
function fixture(notify: AlertNotifier['notify']) {
  const clock = new ManualClock(NOW);
  const logged: string[] = [];
  const log = (level: string) => (facts: object, message: string) =>
    void logged.push(`${level} ${'alert' in facts ? String(facts.alert) : ''}: ${message}`);
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  return { clock, logged, alerts: createAlerts({ clock, logger, alertNotifier: { notify } }) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

// alerts#notifications
describe('the notifications of alerts', () => {
  it('are told and logged once when they begin and once when they end', async () => {
    const told: AlertNotification[] = [];
    const { alerts, clock, logged } = fixture(async (notification) => void told.push(notification));
    alerts.seen({ kind: 'charger_empty', facts: { charges: '0' } });
    alerts.seen({ kind: 'charger_empty', facts: { charges: '0' } });
    await settle();
    clock.advance(60_000);
    alerts.over('charger_empty');
    alerts.over('charger_empty');
    await settle();
    const alert = { key: 'charger_empty', kind: 'charger_empty', subject: null, severity: 'error' };
    const facts = { charges: '0' };
    expect(told).toEqual([
      {
        ...alert,
        facts,
        since: NOW,
        change: 'began',
        at: NOW,
        message: expect.stringMatching(/^The/) as string,
      },
      {
        ...{ ...alert, facts, since: NOW, change: 'ended', at: clock.now() },
        message: expect.stringMatching(/^The/) as string,
      },
    ]);
    expect(logged).toEqual([
      expect.stringMatching(/^error charger_empty: /),
      expect.stringMatching(/^info charger_empty: /),
    ]);
    expect(alerts.open()).toEqual([]);
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
    const { alerts, logged } = fixture((notification) => {
      told.push(notification.key);
      return fail();
    });
    alerts.seen({ kind: 'charger_empty' });
    alerts.seen({ kind: 'signer_failing' });
    await settle();
    expect(told).toEqual(['charger_empty', 'signer_failing']);
    expect(logged.filter((line) => line.includes('could not be sent'))).toHaveLength(2);
  });

  it('are given up after half a minute when the adapter hangs, and nobody waits for them', async () => {
    const told: string[] = [];
    const { alerts, clock, logged } = fixture((notification) => {
      told.push(notification.key);
      return new Promise(() => undefined);
    });
    alerts.seen({ kind: 'charger_empty' });
    alerts.seen({ kind: 'signer_failing' });
    await settle();
    expect(told).toEqual(['charger_empty']);
    clock.advance(30_000);
    await settle();
    expect(told).toEqual(['charger_empty', 'signer_failing']);
    expect(logged).toContain('warn charger_empty: A notification was not accepted in time. It is given up.');
  });

  it('are given up, the oldest first, when more than a hundred wait for an adapter that hangs', async () => {
    const { alerts, logged } = fixture(() => new Promise(() => undefined));
    for (let plan = 0; plan < 105; plan += 1)
      alerts.seen({ kind: 'plan_without_charger', subject: String(plan) });
    await settle();
    expect(logged.filter((line) => line.includes('Too many notifications wait'))).toHaveLength(4);
    expect(alerts.open()).toHaveLength(105);
  });
});
