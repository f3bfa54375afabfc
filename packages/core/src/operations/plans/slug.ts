/**
 * Makes a slug from a name: in lowercase, without accents, with one hyphen for each run of other characters, and with
 * at least one letter.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (/[a-z]/.test(slug)) return slug;
  return slug === '' ? 'plan' : `plan-${slug}`;
}
