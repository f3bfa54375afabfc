import { MailLocale } from '../contract/enums.js';
import { ENGLISH } from './english.js';
import { GERMAN } from './german.js';
import type { MailLanguage } from './language.js';

const LANGUAGES: Readonly<Record<MailLocale, MailLanguage>> = { en: ENGLISH, de: GERMAN };

/** The language of mails, such as `de` or `de-AT`. Whoever reads none of them gets English. */
export function mailLanguage(name: string | null): MailLanguage {
  const locale = MailLocale.options.find((one) => one === name?.toLowerCase().split('-')[0]);
  return LANGUAGES[locale ?? 'en'];
}
