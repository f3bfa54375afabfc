import type { AlertNotification, AlertNotifier, HttpSender } from '@subrail/core/ports';

/** The time the address has to answer. */
const TIMEOUT_MS = 10_000;

/**
 * Posts each notification as JSON to an address of the operator, which may be private. `text` is a sentence
 * for chat tools. Any answer but success rejects, with an error that does not name the address, which may
 * hold a secret.
 */
export function createAlertWebhook(url: string, sender: HttpSender): AlertNotifier {
  return {
    async notify(notification) {
      const outcome = await sender.post({
        url,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(bodyOf(notification)),
        timeoutMs: TIMEOUT_MS,
      });
      if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) return;
      const answer = outcome.kind === 'answered' ? `status ${outcome.status}` : outcome.kind;
      throw new Error(`The notification was posted to alerts_url without success: ${answer}.`);
    },
  };
}

function bodyOf({ change, key, kind, subject, severity, message, facts, since, at }: AlertNotification) {
  const figures = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  const about = [key, ...figures].join(', ');
  return {
    text: `${change === 'ended' ? 'Over' : severity === 'error' ? 'Error' : 'Warning'}: ${message} (${about})`,
    change,
    key,
    kind,
    subject,
    severity,
    message,
    facts,
    since: since.toISOString(),
    at: at.toISOString(),
  };
}
