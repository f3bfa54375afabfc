import type { AlertNotification, Alert, AlertKind } from '../ports/index.js';
import { isWithin } from '../ports/is-within.js';
import { ALERT_KINDS } from './alert-kinds.js';

export interface Sighting {
  readonly kind: AlertKind;
  readonly subject?: string | null;
  readonly facts?: Alert['facts'];
}

interface State {
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  /** Null while it has not lasted long enough to count. */
  readonly alert: Alert | null;
}

/**
 * The alerts of one service as a state machine without ports: each method returns the alerts that it began or
 * ended.
 */
export class AlertStates {
  readonly #states = new Map<string, State>();

  /** An alert was seen: it begins, unless it has begun or has to last longer first. */
  seen({ kind, subject = null, facts = {} }: Sighting, at: Date): readonly AlertNotification[] {
    const key = keyOf(kind, subject);
    const { severity, begins, waitMs } = ALERT_KINDS[kind];
    const known = this.#states.get(key);
    const firstSeen = known?.firstSeen ?? at;
    const lasted = !isWithin(firstSeen, waitMs, at);
    const begun = known?.alert ?? null;
    const alert =
      begun ?? (lasted ? { key, kind, subject, severity, message: begins, facts, since: firstSeen } : null);
    this.#states.set(key, { firstSeen, lastSeen: at, alert });
    return begun === null && alert !== null ? [{ ...alert, change: 'began', at }] : [];
  }

  /** An alert was seen to be over. `why` is the sentence with which it ends; without it, that of its kind. */
  over(kind: AlertKind, subject: string | null, at: Date, why?: string): readonly AlertNotification[] {
    return this.#end(keyOf(kind, subject), at, why);
  }

  /** Ends each alert of a kind that is over when it is not seen for long enough. */
  settle(at: Date): readonly AlertNotification[] {
    return [...this.#states].flatMap(([key, { lastSeen, alert }]) => {
      const quietMs = alert === null ? null : ALERT_KINDS[alert.kind].quietMs;
      return quietMs !== null && !isWithin(lastSeen, quietMs, at) ? this.#end(key, at) : [];
    });
  }

  /** Every alert that has begun and not ended, the oldest first. */
  open(): readonly Alert[] {
    return [...this.#states.values()]
      .flatMap(({ alert }) => alert ?? [])
      .sort((one, other) => one.since.getTime() - other.since.getTime());
  }

  #end(key: string, at: Date, why?: string): readonly AlertNotification[] {
    const alert = this.#states.get(key)?.alert ?? null;
    this.#states.delete(key);
    return alert === null
      ? []
      : [{ ...alert, message: why ?? ALERT_KINDS[alert.kind].ends, change: 'ended', at }];
  }
}

function keyOf(kind: AlertKind, subject: string | null): string {
  return subject === null ? kind : `${kind}:${subject}`;
}
