import type { Served } from '@subrail/core';

/** A log-in: its management key, and until when it lasts. */
export interface LogIn {
  readonly key: string;
  readonly since: number;
  readonly until: number;
}

const COOKIE = 'subrail_dashboard';

/** A log-in ends when it was not used for this long, and whatever happens after the other time. */
const IDLE_MS = 2 * 3_600_000;
const MOST_MS = 12 * 3_600_000;

/** The first bytes of a sealed log-in: no other sealed text of the service is taken for one. */
const MARK = 'subrail dashboard 1\n';

/** The log-ins of a dashboard. The cookie has the whole log-in, sealed, so that every host knows it. */
export function createLogIns({ crypto, wallClock }: Pick<Served['service'], 'crypto' | 'wallClock'>) {
  const now = () => wallClock.now().getTime();
  return {
    /** The log-in of a `Cookie` header; null when it has none that lasts. */
    async read(cookies: string | null): Promise<LogIn | null> {
      const [, sealed] = new RegExp(`(?:^|[;,] *)${COOKIE}=([^;, ]+)`).exec(cookies ?? '') ?? [];
      if (sealed === undefined) return null;
      const logIn = await opened(() => crypto.open(decodeURIComponent(sealed)));
      // The clock of the host that began it may be ahead of this one's.
      return logIn !== null && now() < logIn.until ? logIn : null;
    },
    /** A log-in with a key that was found to be valid; one that is given is renewed, as far as it may be. */
    begin(key: string, since = now()): LogIn {
      return { key, since, until: Math.min(since + MOST_MS, now() + IDLE_MS) };
    },
    /** The `Set-Cookie` header of a log-in; of null, the one that ends it. */
    async cookie(logIn: LogIn | null, isSecure: boolean): Promise<string> {
      const value =
        logIn === null
          ? ''
          : encodeURIComponent(await crypto.seal(new TextEncoder().encode(MARK + JSON.stringify(logIn))));
      const seconds = logIn === null ? 0 : Math.floor((logIn.until - now()) / 1_000);
      // Without a path the browser takes that of the dashboard, which a proxy may have in another place.
      const parts = [`${COOKIE}=${value}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
      return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
    },
  };
}

async function opened(open: () => Promise<Uint8Array>): Promise<LogIn | null> {
  try {
    const text = new TextDecoder().decode(await open());
    return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as LogIn) : null;
  } catch {
    return null;
  }
}
