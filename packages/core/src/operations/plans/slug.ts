/** plans#fields-of-a-plan: a name as a slug: accents stripped, lowercased, everything else to single hyphens; with a letter at least. */
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
