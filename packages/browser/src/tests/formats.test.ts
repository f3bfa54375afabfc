import { afterEach, expect, it, vi } from 'vitest';
import { GERMAN } from '../elements/german.js';
import { formatsOf, shortened } from '../formats.js';
import { ENGLISH } from '../sentences.js';
import { MISSING, PRO } from './fake-service.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

const formats = formatsOf(ENGLISH);
const plan = (amount_display: string, decimals: number) => ({ ...PRO, amount_display, decimals });

it.each([
  ['4.2', 6, '4.20 USDC'],
  ['4.2', 2, '4.20 USDC'],
  ['4.2', 1, '4.2 USDC'],
  ['4', 6, '4 USDC'],
  ['4.123456', 6, '4.123456 USDC'],
  ['1234567.5', 9, '1,234,567.50 USDC'],
  ['18446744073.709551615', 9, '18,446,744,073.709551615 USDC'],
])('shows the price %s of a token with %d decimals as %s', (amount, decimals, shown) => {
  expect(formats.price(plan(amount, decimals))).toBe(shown);
});

it('shows amounts in the smallest unit exactly, and what is missing', () => {
  expect(formats.units('1', { decimals: 9, symbol: 'SOL' })).toBe('0.000000001 SOL');
  expect(formats.units('42', { decimals: 1, symbol: null })).toBe('4.2 tokens');
  expect(formats.units('7', { decimals: 0, symbol: 'TICKET' })).toBe('7 TICKET');
  expect(formats.sol('2049280')).toBe('0.00204928 SOL');
  expect(Object.values(MISSING).map((one) => formats.units(one.amount, one))).toEqual([
    '5.79 USDC',
    '0.00104928 SOL',
  ]);
});

it.each([
  [24, 'every day', 'jeden Tag'],
  [720, 'every 30 days', 'alle 30 Tage'],
  [1, 'every hour', 'jede Stunde'],
  [36, 'every 36 hours', 'alle 36 Stunden'],
])('shows a period of %d hours as %s', (period_hours, english, german) => {
  expect([formats.period({ period_hours }), formatsOf(GERMAN).period({ period_hours })]).toEqual([
    english,
    german,
  ]);
});

it.each([
  ['5', '5.00', null],
  ['9.9', '9.90', null],
  ['5', '4.9985', 'about $5.00 today'],
  ['0.05', '7.163500', 'about $7.16 today'],
  ['5', null, null],
])('says of %s tokens that are worth %s dollars: %s', (amount_display, amount_usd, shown) => {
  expect(formats.dollars({ amount_display, amount_usd })).toBe(shown);
});

it('writes numbers and dates as the reader of a language does', () => {
  const iso = '2026-03-04T17:05:00.000Z';
  expect([formats.utc(iso), formatsOf(GERMAN).utc(iso)]).toEqual([
    '4 March 2026 at 17:05:00 UTC',
    '4. März 2026 um 17:05:00 UTC',
  ]);
  expect(formatsOf(GERMAN).price(plan('1234.5', 6))).toBe('1.234,50 USDC');
  vi.stubGlobal('navigator', { languages: ['fr', 'en-US'] });
  expect(formatsOf(ENGLISH).day(iso)).toBe('March 4, 2026');
});

it('shortens an address to its ends', () => {
  expect(shortened('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toBe('EPjF…Dt1v');
});
