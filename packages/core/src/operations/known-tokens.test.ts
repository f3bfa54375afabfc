import { expect, it } from 'vitest';
import type { VerifiedToken } from '../ports/index.js';
import { ManualClock } from '../testing/manual-clock.js';
import { WELL_KNOWN_TOKENS } from '../rules/well-known-tokens.js';
import { allTokens, readKnownTokens } from './known-tokens.js';

const OWN = { mint: 'own', symbol: 'OWN', name: 'Own', logoUrl: null };
const WELL_KNOWN = WELL_KNOWN_TOKENS.devnet;

function from(list: () => Promise<readonly VerifiedToken[]>) {
  const warnings: string[] = [];
  const logger = {
    debug() {},
    info() {},
    error() {},
    warn: (_: object, text: string) => warnings.push(text),
  };
  const clock = new ManualClock(new Date(0));
  return { warnings, clock, tokens: allTokens({ list }, { network: 'devnet', clock, logger }) };
}

// plans#token-verification
it('lists the well-known tokens of the network, and then those of the source', async () => {
  expect(await from(async () => [OWN]).tokens.list()).toEqual([...WELL_KNOWN, OWN]);
});

it('goes on with what the source listed last while it fails, and says so once', async () => {
  let answer = async () => [OWN];
  const { tokens, warnings } = from(() => answer());
  await tokens.list();
  answer = async () => {
    throw new Error('gone');
  };
  expect(await tokens.list()).toEqual([...WELL_KNOWN, OWN]);
  await tokens.list();
  expect(warnings).toHaveLength(1);
  answer = async () => [];
  expect(await tokens.list()).toEqual(WELL_KNOWN);
});

it('does not wait for a source that does not answer', async () => {
  const { tokens, clock } = from(() => new Promise(() => {}));
  const listed = tokens.list();
  clock.advance(1_000);
  expect(await listed).toEqual(WELL_KNOWN);
});

it('prepares a list once', async () => {
  const own = [OWN];
  const { tokens } = from(async () => own);
  expect(await readKnownTokens({ tokens })).toBe(await readKnownTokens({ tokens }));
});
