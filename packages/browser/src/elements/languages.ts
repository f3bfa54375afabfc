import { GERMAN } from './german.js';
import { ENGLISH } from '../sentences.js';
import { type ElementLanguage, ENGLISH_WORDS } from './words.js';

/** The elements in English. */
export const ENGLISH_ELEMENTS: ElementLanguage = { ...ENGLISH, words: ENGLISH_WORDS };

/** A language of the elements, such as `de` or `de-AT`. */
export type Locale = 'en' | 'de' | `${'en' | 'de'}-${string}`;

/** The languages of the elements. The first is for whoever reads none of them. */
const LANGUAGES: readonly [ElementLanguage, ...ElementLanguage[]] = [ENGLISH_ELEMENTS, GERMAN];

/** The first of the wanted languages that the elements speak. */
export function languageFor(...wanted: readonly (string | null | undefined)[]): ElementLanguage {
  for (const name of wanted) {
    const [language] = name?.toLowerCase().split('-') ?? [];
    const own = LANGUAGES.find(({ locale }) => locale === language);
    if (own !== undefined) return own;
  }
  return LANGUAGES[0];
}
