import { DAY, HOUR, type TestWorldOptions } from '@subrail/test-world';

type Setting = (...captured: string[]) => TestWorldOptions;

/** What a page may give, each sentence with what it does to the world. */
const SETTINGS: readonly (readonly [RegExp, Setting])[] = [
  [/^the project is on (free|dev|business)$/i, (tier = '') => ({ tier: tier.toLowerCase() as 'free' })],
  [/^a period is (\d+) hours$/, (hours) => ({ periodHours: Number(hours) })],
  [/^a period is (\d+) days?$/, (days) => ({ periodHours: (Number(days) * DAY) / HOUR })],
  [/^the plan ends on day (\d+)$/, (days) => ({ endsAfter: Number(days) * DAY })],
  [/^only the shop's wallet may receive$/, () => ({ ownerOnly: true })],
  [/^the plan is the operator's own$/, () => ({ operatorPlan: true })],
  [/^the token is of Token-2022$/, () => ({ token: 'extended' })],
  [/^the token keeps a fee of 1 %$/, () => ({ token: 'extended, with a fee of 1 %' })],
];

/** The options of a world in which all of this holds. */
export function settingsOf(given: readonly string[]): TestWorldOptions {
  return Object.assign({}, ...given.map(settingOf)) as TestWorldOptions;
}

function settingOf(sentence: string): TestWorldOptions {
  for (const [words, setting] of SETTINGS) {
    const found = words.exec(sentence);
    if (found !== null) return setting(...found.slice(1));
  }
  throw new Error(`No scenario knows what "${sentence}" gives.`);
}
