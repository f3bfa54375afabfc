import { expect, it } from 'vitest';
import { GERMAN } from '../elements/german.js';
import { languageFor } from '../elements/languages.js';
import { ENGLISH } from '../sentences.js';

const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

it.each(Object.entries(ENGLISH.problems))('says %s with the same names in German', (code, sentence) => {
  const german = GERMAN.problems[code as keyof typeof GERMAN.problems];
  expect(namesIn(german)).toEqual(namesIn(sentence));
  expect(german).toMatch(/^[A-ZÄÖÜ{].*\.$/);
});

it('says every fixed word in another way, but for names that both languages share', () => {
  const fixed = (words: object) =>
    Object.entries(words).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const english = new Map(fixed(languageFor('en').words));
  const same = fixed(GERMAN.words).filter(([name, word]) => english.get(name) === word);
  expect(same).toEqual([['wallet', 'Wallet']]);
});

it('takes the first wanted language that it has, and English without one', () => {
  expect(languageFor(null, 'fr', 'de-AT', 'en').locale).toBe('de');
  expect(languageFor('en-US', 'de').locale).toBe('en');
  expect(languageFor(undefined, 'fr').locale).toBe('en');
});
