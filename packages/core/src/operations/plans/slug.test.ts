import { expect, it } from 'vitest';
import { slugOf } from './slug.js';

// plans#slug-of-a-plan
it.each([
  ['Pro', 'pro'],
  ['Éclair à la carte', 'eclair-a-la-carte'],
  ['Pro  (monthly)', 'pro-monthly'],
  ['2026', 'plan-2026'],
  ['★', 'plan'],
])('the slug of %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

// plans#slug-of-a-plan
it('names in other scripts have slugs of their own, always the same', () => {
  const names = ['月額プラン', '年額プラン', 'Тариф', 'الخطة', '요금제', '月額プラン 2', '年額プラン 2'];
  const slugs = names.map(slugOf);
  for (const slug of slugs) expect(slug).toMatch(/^plan-[0-9a-f]{8}$/);
  expect(new Set(slugs).size).toBe(names.length);
  expect(names.map(slugOf)).toEqual(slugs);
});
