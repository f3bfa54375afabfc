import type { Network } from '../../contract/enums.js';
import type { Clock, Logger, Tokens, VerifiedToken } from '../../ports/index.js';
import { type KnownTokens, knownTokens } from '../../rules/token-name.js';
import { WELL_KNOWN_TOKENS } from '../../rules/well-known-tokens.js';
import type { Service } from '../../service.js';
import { within } from '../../service/within.js';

/** The wait for a source's first list is longer, because terms made without it change when it comes. */
const FIRST_LIST_MS = 5_000;
const LIST_MS = 1_000;
/** After this time a source that has not answered is asked anew. */
const ASK_ANEW_MS = 60_000;

/**
 * The well-known tokens of the network, and those of a source. The last list of a source counts while it is
 * slow or fails (plans#token-verification).
 */
export function allTokens(
  source: Tokens | undefined,
  { network, clock, logger }: { readonly network: Network; readonly clock: Clock; readonly logger: Logger },
): Tokens {
  const wellKnown = WELL_KNOWN_TOKENS[network];
  if (source === undefined) return { list: () => Promise.resolve(wellKnown) };
  let latest: readonly VerifiedToken[] | null = null;
  let all = wellKnown;
  let isFailing = false;
  let asked: { readonly at: number; readonly answer: Promise<void> } | null = null;

  function failed(err: unknown): void {
    if (!isFailing)
      logger.warn(
        { err },
        'The verified tokens could not be listed. Those that were listed before are used.',
      );
    isFailing = true;
  }

  async function ask(tokens: Tokens): Promise<void> {
    try {
      const answer = await tokens.list();
      // The well-known ones come last, so that no list renames them.
      if (answer !== latest) all = [...answer, ...wellKnown];
      latest = answer;
      isFailing = false;
    } catch (err) {
      failed(err);
    }
  }

  return {
    async list() {
      const now = clock.now().getTime();
      if (asked === null || now - asked.at >= ASK_ANEW_MS) {
        const one = { at: now, answer: ask(source) };
        asked = one;
        void one.answer.then(() => {
          if (asked === one) asked = null;
        });
      }
      // A source that failed or was late is not waited for again: its next answer counts from then on.
      if (
        !isFailing &&
        (await within(clock, latest === null ? FIRST_LIST_MS : LIST_MS, asked.answer)) === 'too_late'
      )
        failed(new Error('The source did not answer in time.'));
      return all;
    },
  };
}

const prepared = new WeakMap<readonly VerifiedToken[], KnownTokens>();

/** Reads the verified tokens. A list is prepared once. */
export async function readKnownTokens({ tokens }: Pick<Service, 'tokens'>): Promise<KnownTokens> {
  const list = await tokens.list();
  const known = prepared.get(list) ?? knownTokens(list);
  prepared.set(list, known);
  return known;
}
