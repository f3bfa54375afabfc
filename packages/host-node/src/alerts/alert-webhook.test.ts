import type { AlertNotification } from '@subrail/core/ports';
import { OK, RecordingSender } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { createAlertWebhook } from './alert-webhook.js';

const SINCE = new Date('2026-10-02T08:00:00.000Z');
const NOTIFICATION: AlertNotification = {
  key: 'charger_low',
  kind: 'charger_low',
  subject: null,
  severity: 'warning',
  message: 'Send SOL to the charger.',
  facts: { charges: '12' },
  since: SINCE,
  change: 'began',
  at: SINCE,
};
const URL = 'https://chat.example/hooks/token-1234';

test('posts a notification as JSON with a sentence for a person', async () => {
  const sender = new RecordingSender(() => OK);
  const alertNotifier = createAlertWebhook(URL, sender);
  await alertNotifier.notify(NOTIFICATION);
  await alertNotifier.notify({ ...NOTIFICATION, change: 'ended' });
  const [began, ended] = sender.posts.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  expect(sender.posts[0]?.url).toBe(URL);
  expect(began).toEqual({
    ...NOTIFICATION,
    text: 'Warning: Send SOL to the charger. (charger_low, charges 12)',
    since: SINCE.toISOString(),
    at: SINCE.toISOString(),
  });
  expect(ended?.['text']).toBe('Over: Send SOL to the charger. (charger_low, charges 12)');
});

test.each([
  [{ kind: 'answered', status: 500, retryAfter: null, excerpt: '' }, 'status 500'],
  [{ kind: 'timed_out' }, 'timed_out'],
] as const)('rejects without the address when it is not answered with success', async (outcome, found) => {
  const alertNotifier = createAlertWebhook(URL, new RecordingSender(() => outcome));
  await expect(alertNotifier.notify(NOTIFICATION)).rejects.toThrow(
    `The notification was posted to alerts_url without success: ${found}.`,
  );
});
