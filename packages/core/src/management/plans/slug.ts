import { hash } from '../../rules/hash.js';

/**
 * Makes a slug from a name: in lowercase, without accents, with one hyphen for each run of other characters, and with
 * at least one letter. A letter or a number of another script is dropped, and with it what tells two names apart, so such a
 * name's slug ends in digits that follow from all of the name (plans#slug-of-a-plan).
 */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const kept = plain.split(/[^a-z0-9]+/).filter((part) => part !== '');
  if (!/[a-z]/.test(plain)) kept.unshift('plan');
  if (/[\p{L}\p{N}]/u.test(plain.replace(/[a-z0-9]/g, ''))) kept.push(digits(name));
  return kept.join('-');
}

/** Eight hexadecimal digits that follow from a text. */
function digits(text: string): string {
  return hash(text.normalize('NFKC')).toString(16).padStart(8, '0');
}
