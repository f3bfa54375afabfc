import { hash } from '../../rules/hash.js';

/**
 * Makes a slug from a name (plans#slug-of-a-plan): lowercase, without accents, a hyphen for each run of other
 * characters. Other letters and digits are dropped, and the slug of such a name ends in its hash.
 */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const parts = plain.split(/[^a-z0-9]+/).filter((part) => part !== '');
  if (!/[a-z]/.test(plain)) parts.unshift('plan');
  if (/[\p{L}\p{N}]/u.test(plain.replace(/[a-z0-9]/g, '')))
    parts.push(hash(name.normalize('NFKC')).toString(16).padStart(8, '0'));
  return parts.join('-');
}
