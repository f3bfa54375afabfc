import { ENGLISH } from './english.js';
import { GERMAN } from './german.js';
import type { MailLanguage } from './language.js';

/** The language of mails, such as `de` or `de-AT`. Whoever reads none of them gets English. */
export function mailLanguage(name: string | null): MailLanguage {
  return name?.toLowerCase().split('-')[0] === GERMAN.locale ? GERMAN : ENGLISH;
}

/** The languages that a project can choose. */
export const MAIL_LANGUAGES = [ENGLISH.locale, GERMAN.locale];
