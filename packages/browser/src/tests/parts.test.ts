import { describe, expect, it } from 'vitest';
import type { TermsFact } from '@subrail/core/schemas';
import { walletLinks } from '../deep-links.js';
import { fromBase64, toBase58, toBase64 } from '../encodings.js';
import { keptIn } from '../progress.js';
import { changesOf } from '../terms.js';

const fact = (name: TermsFact['name'], value: string, label: string | null = name): TermsFact => ({
  name,
  label,
  value,
  folded: false,
});

describe('the changes of terms', () => {
  it('name new, other and missing lines, but not those that always differ', () => {
    const before = [
      fact('amount', '5'),
      fact('other', 'a', null),
      fact('other', 'b', null),
      fact('nonce', '1'),
    ];
    const after = [fact('amount', '6'), fact('other', 'a', null), fact('access', 'ends'), fact('nonce', '2')];
    expect(changesOf(before, after)).toEqual([
      { name: 'amount', label: 'amount', before: '5', after: '6' },
      { name: 'other', label: null, before: 'b', after: null },
      { name: 'access', label: 'access', before: null, after: 'ends' },
    ]);
    expect(changesOf(before, before)).toEqual([]);
  });
});

// checkout-sessions#secret-of-a-session
it.each([
  [
    'by its app alone when it has a secret',
    'https://pay.test/base/checkout/?a=%20#chs_1',
    ['phantom:', 'solflare:', 'backpack:'],
  ],
  ['on the web when it has none', 'https://pay.test/checkout/lnk_1', ['https:', 'https:', 'https:']],
])('a wallet opens the very page, %s', (_, page, protocols) => {
  const links = walletLinks(page).map(({ url }) => new URL(url));
  expect(links.map(({ protocol }) => protocol)).toEqual(protocols);
  for (const { href, searchParams, hash } of links) {
    expect(decodeURIComponent(href.replace(/^.*?browse\/|\?ref=.*$/g, ''))).toBe(page);
    expect([searchParams.get('ref'), hash]).toEqual(['https://pay.test', '']);
  }
});

it('encodes base58 and base64', () => {
  const bytes = Uint8Array.of(0, 0, 0x28, 0x7f, 0xb4, 0xcd);
  expect(toBase58(bytes)).toBe('11233QC4');
  expect(toBase58(new TextEncoder().encode('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
  expect(fromBase64(toBase64(bytes))).toEqual(bytes);
});

describe('progress', () => {
  const full = {
    getItem: () => '{broken',
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  };

  it('lasts as long as the page where the storage refuses it', () => {
    const kept = keptIn<string>(full, 'key');
    expect(kept.read()).toBeNull();
    kept.write('signed');
    expect(kept.read()).toBe('signed');
    kept.write(null);
    expect(kept.read()).toBeNull();
  });
});
