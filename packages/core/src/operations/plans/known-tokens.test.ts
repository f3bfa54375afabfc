import { expect, it, vi } from 'vitest';

import type { VerifiedToken } from '../../ports/index.js';
import { WELL_KNOWN_TOKENS } from '../../rules/well-known-tokens.js';
import { ManualClock } from '../../testing/manual-clock.js';
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
it('lists the tokens of the source, and then the well-known ones of the network, which no list renames', async () => {
  expect(await from(async () => [OWN]).tokens.list()).toEqual([OWN, ...WELL_KNOWN]);
});

it('goes on with what the source listed last while it fails, and says so once', async () => {
  let answer = async () => [OWN];
  const { tokens, warnings } = from(() => answer());
  await tokens.list();
  answer = async () => {
    throw new Error('gone');
  };
  expect(await tokens.list()).toEqual([OWN, ...WELL_KNOWN]);
  await tokens.list();
  expect(warnings).toHaveLength(1);
  answer = async () => [];
  await vi.waitFor(async () => {
    expect(await tokens.list()).toEqual(WELL_KNOWN);
  });
});

it('waits once for a source that does not answer, takes a late answer, and asks again after a minute', async () => {
  const answers: ((list: readonly VerifiedToken[]) => void)[] = [];
  const own = [OWN];
  const { tokens, clock } = from(() =>
    answers.length === 2 ? Promise.resolve(own) : new Promise((resolve) => answers.push(resolve)),
  );
  const listed = Promise.all([tokens.list(), tokens.list()]);
  clock.advance(5_000);
  expect(await listed).toEqual([WELL_KNOWN, WELL_KNOWN]);
  expect(await tokens.list()).toEqual(WELL_KNOWN);
  expect(answers).toHaveLength(1);
  clock.advance(55_000);
  expect(await tokens.list()).toEqual(WELL_KNOWN);
  expect(answers).toHaveLength(2);
  answers[1]?.(own);
  await vi.waitFor(async () => {
    expect(await tokens.list()).toEqual([OWN, ...WELL_KNOWN]);
  });
});

it('prepares a list once', async () => {
  const own = [OWN];
  const { tokens } = from(async () => own);
  expect(await readKnownTokens({ tokens })).toBe(await readKnownTokens({ tokens }));
});
