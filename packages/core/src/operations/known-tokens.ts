import type { Network } from '../contract/enums.js';
import type { Clock, Logger, Tokens, VerifiedToken } from '../ports/index.js';
import { type KnownTokens, knownTokens } from '../rules/token-name.js';
import { WELL_KNOWN_TOKENS } from '../rules/well-known-tokens.js';
import type { Service } from '../service.js';

/** How long the read of a source may take. */
const LIST_MS = 1_000;

/**
 * The well-known tokens of the network, and those of a source. A source that is slow or fails holds nothing up: what it listed last
 * counts on (plans#token-verification).
 */
export function allTokens(
  source: Tokens | undefined,
  { network, clock, logger }: { readonly network: Network; readonly clock: Clock; readonly logger: Logger },
): Tokens {
  const wellKnown = WELL_KNOWN_TOKENS[network];
  if (source === undefined) return { list: () => Promise.resolve(wellKnown) };
  let listed: readonly VerifiedToken[] | null = null;
  let all = wellKnown;
  let isFailing = false;

  async function read(tokens: Tokens): Promise<void> {
    const stopSleeping = new AbortController();
    try {
      const tooLate = clock.sleep(LIST_MS, stopSleeping.signal).then(() => null);
      const answer = await Promise.race([tokens.list(), tooLate]);
      if (answer === null) throw new Error(`The source did not answer within ${LIST_MS} ms.`);
      if (answer !== listed) all = [...wellKnown, ...answer];
      listed = answer;
      isFailing = false;
    } catch (err) {
      if (!isFailing)
        logger.warn(
          { err },
          'The verified tokens could not be listed. Those that were listed before are used.',
        );
      isFailing = true;
    } finally {
      stopSleeping.abort();
    }
  }

  return {
    async list() {
      await read(source);
      return all;
    },
  };
}

const prepared = new WeakMap<readonly VerifiedToken[], KnownTokens>();

/** Reads the verified tokens. One list is prepared once. */
export async function readKnownTokens({ tokens }: Pick<Service, 'tokens'>): Promise<KnownTokens> {
  const list = await tokens.list();
  const known = prepared.get(list) ?? knownTokens(list);
  prepared.set(list, known);
  return known;
}
