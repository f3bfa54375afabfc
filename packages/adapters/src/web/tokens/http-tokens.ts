import type { Logger, Tokens, VerifiedToken } from '@subrail/core/ports';
import type { Network } from '@subrail/core/schemas';
import { requestText } from '../../request-text.js';
import { readTokenList } from './token-list.js';

/** Lists of some thousand tokens have a few million bytes. */
const MOST_BYTES = 16_777_216;

/** The time for which a failed source is not asked again. */
const KEEP_FAILURE_MS = 60_000;

/** Where a list of verified tokens is read, and how. */
export interface HttpTokensOptions {
  /** The address that answers the list as JSON, in the form of {@link readTokenList}. */
  readonly url: string;
  /** The network whose tokens are taken from the list. */
  readonly network: Network;
  /** Tokens of your own, which count besides the list and before it. Default: none. */
  readonly own?: readonly VerifiedToken[];
  /** Headers of every request, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The time for a request and its answer, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The time for which a list counts, in milliseconds. Default: 3,600,000, which is an hour. */
  readonly keepMs?: number;
  /** Hears when the source begins to fail, and when it works again. Default: nobody. */
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Creates a source of verified tokens that reads a list over HTTP. The first call waits for the list; later
 * ones get the last list while a newer one is read. Incomplete entries are left out. It never throws: while
 * the source fails, the last list counts, or none.
 *
 * @throws TypeError when `url` is no http address
 * @example
 * const url = 'https://lite-api.jup.ag/tokens/v2/tag?query=verified';
 * const tokens = createHttpTokens({ url, network: 'mainnet-beta' });
 */
export function createHttpTokens(options: HttpTokensOptions): Tokens {
  const { url, network, own = [], headers = {}, timeoutMs = 10_000, keepMs = 3_600_000, logger } = options;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError('"url" must be an http or https address.');
  let list = own;
  let reading: Promise<void> | null = null;
  let readAgainAt = 0;
  let isRead = false;
  let isFailing = false;

  async function read(): Promise<void> {
    try {
      const request = { source: 'source of tokens', headers, timeoutMs, mostBytes: MOST_BYTES };
      const found = readTokenList(await requestText(url, request), network, 'left out');
      list = [...found, ...own];
      isRead = true;
      if (isFailing) logger?.info({}, 'The source of tokens answers again.');
      isFailing = false;
    } catch (err) {
      if (!isFailing)
        logger?.warn({ err }, 'The source of tokens fails. Until it answers, the last list counts.');
      isFailing = true;
    }
    readAgainAt = performance.now() + (isFailing ? Math.min(keepMs, KEEP_FAILURE_MS) : keepMs);
    reading = null;
  }

  return {
    async list() {
      if (reading === null && performance.now() >= readAgainAt) reading = read();
      if (!isRead && reading !== null) await reading;
      return list;
    },
  };
}
