import { expect, it } from 'vitest';
import { slugOf } from './slug.js';

// plans#slug-of-a-plan
it.each([
  ['Pro', 'pro'],
  ['Éclair à la carte', 'eclair-a-la-carte'],
  ['Pro  (monthly)', 'pro-monthly'],
  ['2026', 'plan-2026'],
  ['★', 'plan'],
  ['Pro ★', 'pro'],
  ['Ｐｒｏ ２', 'pro-2'],
])('the slug of %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

/** Names that differ only in characters that no slug has, and how their slugs start. */
const EQUAL_WITHOUT_DROPPED: readonly [names: readonly string[], start: string][] = [
  [['月額プラン', '年額プラン', 'Тариф', 'الخطة', '요금제'], 'plan'],
  [['月額プラン 2', '年額プラン 2'], 'plan-2'],
  [['プレミアム Plan', 'ベーシック Plan', 'Про Plan', 'Базовый Plan'], 'plan'],
  [['スタンダードA', 'プレミアムA'], 'a'],
  [['Plan 専門', 'Plan 基本'], 'plan'],
  [['Weiß', 'Weiþ'], 'wei'],
  [['Pro ٢', 'Pro ٣'], 'pro'],
];

// plans#slug-of-a-plan
it.each(EQUAL_WITHOUT_DROPPED)('%j have different slugs, the same at every call', (names, start) => {
  const slugs = names.map(slugOf);
  for (const slug of slugs) expect(slug).toMatch(new RegExp(`^${start}-[0-9a-f]{8}$`));
  expect(new Set(slugs).size).toBe(names.length);
  expect(names.map(slugOf)).toEqual(slugs);
});
