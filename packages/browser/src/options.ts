import type { CustomerSession } from '@subrail/core/schemas';
import { type KeyedStorage, pageAddress, pageFolder, tabStorage } from './page.js';
import { ProblemError } from './problem.js';
import { keptIn } from './progress.js';
import { ENGLISH, type Language } from './sentences.js';
import { type Place, servicePlace, type Transport, transportOf } from './transport.js';
import type { WalletSource } from './browser-wallets.js';
import type { Places } from './ways.js';

/** The value of what does not open a machine, or of what a page does not know yet. */
type Absent = null | undefined;

/** A machine that is opened by the secret of a session, `chs_…`, from behind the `#` of the page. */
export interface WithSession {
  readonly session: string | Absent;
  readonly link?: Absent;
  readonly url?: Absent;
}

/**
 * A machine that is opened by the id of a plan link, `lnk_…`. A checkout opens a session of its own by it,
 * and a portal opens the one that this tab has of the link.
 */
export interface WithLink {
  readonly link: string | Absent;
  readonly session?: Absent;
  readonly url?: Absent;
}

/**
 * A machine of an app: the address at which its own server serves the customer's routes to whoever is logged
 * in, such as `/billing`. Such a checkout never ends: loaded again once it is paid, it says that the customer
 * has the plan, or offers another one. So ask for access first, and show what is paid for in place of it.
 */
export interface WithUrl {
  readonly url: string | Absent;
  readonly session?: Absent;
  readonly link?: Absent;
}

/** A portal without a session, in which a wallet sees what a chain shows of it. */
export interface WithChain {
  readonly chain: Chain | Absent;
  readonly session?: Absent;
  readonly link?: Absent;
  readonly url?: Absent;
}

/** A chain that a wallet is asked for. */
export type Chain = 'solana:mainnet' | 'solana:devnet' | 'solana:localnet';

/** The options that both machines have besides what opens them. Each has a default. */
export interface MachineOptions extends Places {
  /** The address of the service, on the origin of the page; the folder of the page when absent. */
  readonly service?: string | undefined;
  /** The sentences, or what chooses them by the locale of the session, null before that is known. */
  readonly language?: Language | ((locale: string | null) => Language) | undefined;
  /** Calls the service; the browser's `fetch` when absent. */
  readonly fetch?: typeof fetch | undefined;
  /** Keeps progress for a page that is loaded again; `sessionStorage` when absent. */
  readonly storage?: KeyedStorage | undefined;
  /** Where wallets are found; those of the browser when absent. */
  readonly wallets?: WalletSource | undefined;
  /** The address that the apps of wallets open; that of the page when absent. */
  readonly page?: string | undefined;
}

/** The options of a checkout, which is opened by exactly one of `session`, `link` and `url`. */
export type CheckoutOptions = MachineOptions & {
  /** The slug of the plan that is chosen first; without it one that the customer does not have. */
  readonly plan?: string | undefined;
  /** The id of the customer's own subscription that the new one replaces; none is replaced without it. */
  readonly replaces?: string | null | undefined;
} & (WithSession | WithLink | WithUrl);

/** The options of a portal, which is opened by exactly one of `session`, `link`, `url` and `chain`. */
export type PortalOptions = MachineOptions & {
  /** The id of a payment whose receipt is shown first. */
  readonly receipt?: string | Absent;
} & (WithSession | WithLink | WithUrl | WithChain);

/** A session that was read, with the routes that it opens. */
export interface Opened {
  readonly session: CustomerSession;
  readonly transport: Transport;
  /** What tells its progress from that of others in the same storage. */
  readonly key: string;
}

/** The parts that both machines use, with the defaults filled in. */
export interface Setting {
  /** The sentences. Once the session was read they may be in another language. */
  readonly language: Language;
  readonly storage: KeyedStorage;
  readonly page: string;
  readonly stopped: AbortSignal;
  /** The address of the service. */
  service(): string;
  readonly fetch: typeof fetch | undefined;
  readonly wallets: WalletSource | undefined;
  /** Reads the session. The one of a link is kept for the tab, and made anew once `isOver`; never by null. */
  open(isOver: ((opened: Opened) => boolean) | null): Promise<Opened>;
}

/** Reads options. Throws a TypeError that says which are missing or too many. */
export function settingOf(
  options: CheckoutOptions | PortalOptions,
  stopped: AbortSignal,
  names: readonly string[],
  delay: (by: 1 | -1) => void,
): Setting {
  const { session, link, url } = options;
  const chain = 'chain' in options ? options.chain : null;
  const given = Object.entries({ session, link, url, chain }).filter(([, value]) => value != null);
  if (given.length !== 1 || given.some(([name]) => !names.includes(name)))
    throw new TypeError(
      `Expected exactly one of the options ${names.join(', ')}, and found ${
        given.map(([name]) => name).join(' and ') || 'none'
      }. Give the secret of a session, or the address of your own routes.`,
    );
  const storage = options.storage ?? tabStorage();
  const service = () => options.service ?? pageFolder();
  const at = (place: Place) => transportOf(place, stopped, delay);
  const withSecret = (secret: string | null) => at(servicePlace(service(), secret, options.fetch));
  const { language: sentences = ENGLISH } = options;
  const languageOf = (locale: string | null) =>
    typeof sentences === 'function' ? sentences(locale) : sentences;
  let language = languageOf(null);
  const opened = (transport: Transport, read: CustomerSession): Opened => {
    language = languageOf(read.locale);
    return { session: read, transport, key: read.id ?? url ?? '' };
  };

  async function openLink(id: string, isOver: ((opened: Opened) => boolean) | null): Promise<Opened> {
    const secret = keptIn<string>(storage, `subrail:link:${id}`);
    const own = secret.read();
    if (own !== null || isOver === null) {
      const transport = withSecret(own);
      const read = await transport.session().catch((error: unknown) => {
        if (isOver !== null && error instanceof ProblemError && error.code === 'invalid_session') return null;
        throw error;
      });
      if (read !== null && isOver?.(opened(transport, read)) !== true) return opened(transport, read);
    }
    const anew = await withSecret(null).openLink(id);
    secret.write(anew.secret);
    return opened(withSecret(anew.secret), anew.session);
  }

  return {
    get language() {
      return language;
    },
    storage,
    page: options.page ?? pageAddress(),
    stopped,
    service,
    fetch: options.fetch,
    wallets: options.wallets,
    async open(isOver) {
      if (link != null) return openLink(link, isOver);
      const transport =
        url == null
          ? withSecret(session ?? null)
          : at({ base: url.replace(/\/+$/, ''), secret: null, fetch: options.fetch });
      return opened(transport, await transport.session());
    },
  };
}
