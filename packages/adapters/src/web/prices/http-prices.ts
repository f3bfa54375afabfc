import type { Logger, Prices } from '@subrail/core/ports';
import { forgetOldest } from '../../forget-oldest.js';
import { requestText } from '../../request-text.js';
import { plainDecimal } from './decimal.js';

const MINT = '{mint}';

const MOST_BYTES = 65_536;

const MOST_PRICES = 1_000;

/** The time for which a failed source is not asked again for a token. */
const KEEP_FAILURE_MS = 5_000;

/** Where prices are read, and how. */
export interface HttpPricesOptions {
  /** The address that answers the price of a token as JSON, with `{mint}` in place of the token's address. */
  readonly url: string;
  /**
   * The names that lead to the price in the answer, from the outside in, with `{mint}` for the address of the
   * token. The price is a number or its text, in US dollars for a whole token. Default: `['{mint}',
   * 'usdPrice']`, as of Price API v3 of Jupiter.
   */
  readonly path?: readonly string[];
  /** Headers of every request, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The time for a request and its answer, in milliseconds. Default: 900. */
  readonly timeoutMs?: number;
  /** The time for which a price counts, in milliseconds. Default: 30,000. */
  readonly keepMs?: number;
  /** Hears when the source begins to fail, and when it works again. Default: nobody. */
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Creates a price source that reads prices over HTTP. It follows no redirect, reads at most 64 kB of an
 * answer, and never throws: a failure, or a price that is no number above zero, is no price. Digits stay as
 * answered. Calls for one token share a request. It uses `fetch`, so it runs on every platform.
 *
 * @throws TypeError when `url` is no http address with `{mint}` in it
 * @example
 * const prices = createHttpPrices({ url: 'https://lite-api.jup.ag/price/v3?ids={mint}' });
 */
export function createHttpPrices(options: HttpPricesOptions): Prices {
  const { url, path = [MINT, 'usdPrice'], headers = {}, timeoutMs = 900, keepMs = 30_000, logger } = options;
  if (!url.includes(MINT) || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError(
      `"url" must be an http or https address with ${MINT} in place of the token's address.`,
    );
  const kept = new Map<string, { readonly until: number; readonly price: Promise<string | null> }>();
  let failing = false;

  async function read(mint: string): Promise<string | null> {
    const request = { source: 'price source', headers, timeoutMs, mostBytes: MOST_BYTES };
    const text = await requestText(url.replaceAll(MINT, encodeURIComponent(mint)), request);
    return priceIn(parseWithTextNumbers(text), path, mint);
  }

  async function readOrNull(
    mint: string,
  ): Promise<{ readonly price: string | null; readonly keepMs: number }> {
    try {
      const price = await read(mint);
      if (failing) logger?.info({}, 'The price source answers again.');
      failing = false;
      return { price, keepMs };
    } catch (err) {
      if (!failing) logger?.warn({ err }, 'The price source fails. Until it answers, amounts have no price.');
      failing = true;
      return { price: null, keepMs: Math.min(keepMs, KEEP_FAILURE_MS) };
    }
  }

  return {
    usd(mint) {
      const known = kept.get(mint);
      if (known !== undefined && performance.now() < known.until) return known.price;
      const reading = readOrNull(mint);
      const price = reading.then((result) => result.price);
      kept.delete(mint);
      kept.set(mint, { until: Infinity, price });
      forgetOldest(kept, MOST_PRICES);
      void reading.then((result) => {
        if (kept.get(mint)?.price === price)
          kept.set(mint, { until: performance.now() + result.keepMs, price });
      });
      return price;
    },
  };
}

/** Parses JSON with numbers as text, because a number of JavaScript may round them. */
function parseWithTextNumbers(text: string): unknown {
  // Refuses other text before it is changed.
  JSON.parse(text);
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(quoted) as unknown;
}

function priceIn(answer: unknown, path: readonly string[], mint: string): string | null {
  let found = answer;
  for (const name of path) {
    const key = name === MINT ? mint : name;
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return null;
    found = Reflect.get(found, key) as unknown;
  }
  return typeof found === 'string' ? plainDecimal(found) : null;
}
