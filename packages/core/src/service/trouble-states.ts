import type { Notice, Trouble, TroubleKind } from '../ports/index.js';
import { isWithin } from '../ports/is-within.js';
import { TROUBLE_KINDS } from './trouble-kinds.js';

/** What was seen of a trouble. */
export interface Sighting {
  readonly kind: TroubleKind;
  readonly subject?: string | null;
  readonly facts?: Trouble['facts'];
}

interface State {
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  /** Null while it has not lasted long enough to count. */
  readonly trouble: Trouble | null;
}

/** The troubles of one service as a state machine without ports: each method returns what began or ended by it. */
export class TroubleStates {
  readonly #states = new Map<string, State>();

  /** A trouble was seen: it begins, unless it has begun or has to last longer first. */
  seen({ kind, subject = null, facts = {} }: Sighting, at: Date): readonly Notice[] {
    const key = keyOf(kind, subject);
    const { severity, begins, waitMs } = TROUBLE_KINDS[kind];
    const known = this.#states.get(key);
    const firstSeen = known?.firstSeen ?? at;
    const lasted = !isWithin(firstSeen, waitMs, at);
    const begun = known?.trouble ?? null;
    const trouble =
      begun ?? (lasted ? { key, kind, subject, severity, message: begins, facts, since: firstSeen } : null);
    this.#states.set(key, { firstSeen, lastSeen: at, trouble });
    return begun === null && trouble !== null ? [{ ...trouble, change: 'began', at }] : [];
  }

  /** A trouble was seen to be over. `why` is the sentence with which it ends; without it, that of its kind. */
  over(kind: TroubleKind, subject: string | null, at: Date, why?: string): readonly Notice[] {
    return this.#end(keyOf(kind, subject), at, why);
  }

  /** Ends each trouble of a kind that is over when it is not seen for long enough. */
  settle(at: Date): readonly Notice[] {
    return [...this.#states].flatMap(([key, { lastSeen, trouble }]) => {
      const quietMs = trouble === null ? null : TROUBLE_KINDS[trouble.kind].quietMs;
      return quietMs !== null && !isWithin(lastSeen, quietMs, at) ? this.#end(key, at) : [];
    });
  }

  /** Every trouble that has begun and not ended, the oldest first. */
  open(): readonly Trouble[] {
    return [...this.#states.values()]
      .flatMap(({ trouble }) => trouble ?? [])
      .sort((one, other) => one.since.getTime() - other.since.getTime());
  }

  #end(key: string, at: Date, why?: string): readonly Notice[] {
    const trouble = this.#states.get(key)?.trouble ?? null;
    this.#states.delete(key);
    return trouble === null
      ? []
      : [{ ...trouble, message: why ?? TROUBLE_KINDS[trouble.kind].ends, change: 'ended', at }];
  }
}

function keyOf(kind: TroubleKind, subject: string | null): string {
  return subject === null ? kind : `${kind}:${subject}`;
}
