import { hash } from '../../rules/hash.js';

/**
 * Makes a slug from a name: in lowercase, without accents, with one hyphen for each run of other characters, and with
 * at least one letter. Of a name in another script hardly anything is left, so digits that follow from the name take its place
 * (plans#slug-of-a-plan).
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (/[a-z]/.test(slug)) return slug;
  if (/\p{L}/u.test(name)) return `plan-${hash(name.normalize('NFKC')).toString(16).padStart(8, '0')}`;
  return slug === '' ? 'plan' : `plan-${slug}`;
}
