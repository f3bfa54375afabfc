/** Makes a slug of a name: without accents, lowercase, all else as single hyphens, and with at least one letter. */
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
