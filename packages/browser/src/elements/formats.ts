import type { PlanWire } from '@subrail/core/schemas';
import type { ElementLanguage } from './words.js';

/** The part of a plan that says in what it is paid. */
export type Priced = Pick<PlanWire, 'amount_display' | 'amount_usd' | 'decimals' | 'period_hours' | 'symbol'>;

const LAMPORTS_DECIMALS = 9;
const MOST_DIGITS = 20;

/** Amounts and dates as people of a language read them. */
export type Formats = ReturnType<typeof formatsOf>;

/** The variant of a language that the browser's person uses, or the language itself. */
function variantOf(locale: string): string {
  const own = navigator.languages.find((name) => name === locale || name.startsWith(`${locale}-`));
  return own ?? (locale === 'en' ? 'en-GB' : locale);
}

/** Makes the formats of a language. */
export function formatsOf({ locale, words }: ElementLanguage) {
  const variant = variantOf(locale);
  const date = new Intl.DateTimeFormat(variant, { dateStyle: 'long' });
  const time = new Intl.DateTimeFormat(variant, { dateStyle: 'long', timeStyle: 'short' });
  const utc = new Intl.DateTimeFormat(variant, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });

  /** An exact decimal, such as `1234.5`, with at least the given digits behind its point. */
  const decimal = (text: string, fewest = text.includes('.') ? 2 : 0) =>
    new Intl.NumberFormat(variant, {
      minimumFractionDigits: fewest,
      maximumFractionDigits: MOST_DIGITS,
    }).format(text as `${number}`);
  const tokens = (amount: string, symbol: string | null) => `${decimal(amount)} ${symbol ?? words.tokens}`;

  return {
    /** An amount of a plan's token in whole tokens, with its symbol. */
    tokens,
    /** The price of a plan. */
    price: ({ amount_display: amount, symbol }: Priced) => tokens(amount, symbol),
    /** An amount of a plan's token in its smallest unit. */
    units: (amount: string, { decimals, symbol }: Pick<Priced, 'decimals' | 'symbol'>) =>
      tokens(shifted(BigInt(amount), decimals), symbol),
    /** The period of a plan, such as `every 30 days`. */
    period: ({ period_hours: hours }: Pick<Priced, 'period_hours'>) =>
      hours % 24 === 0 ? words.every(hours / 24, 'day') : words.every(hours, 'hour'),
    /** The price in dollars, where it says more than the price itself; null otherwise. */
    dollars: ({ amount_usd: dollars, amount_display: amount }: Priced) =>
      dollars === null || dollars === amount ? null : words.about(dollarsText(dollars, variant)),
    /** Lamports as SOL. */
    sol: (lamports: string) => `${decimal(shifted(BigInt(lamports), LAMPORTS_DECIMALS))} SOL`,
    day: (iso: string) => date.format(new Date(iso)),
    moment: (iso: string) => time.format(new Date(iso)),
    utc: (iso: string) => utc.format(new Date(iso)),
  };
}

function dollarsText(amount: string, variant: string): string {
  return new Intl.NumberFormat(variant, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  }).format(amount as `${number}`);
}

/** An amount in the smallest unit as an exact decimal without trailing zeros. */
function shifted(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** A long address as a person compares it: its two ends. */
export function shortened(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}
