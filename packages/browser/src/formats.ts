import type { PlanWire } from '@subrail/core/schemas';
import { pageLanguages } from './page.js';
import type { Language } from './sentences.js';

/** The part of a plan that says in what it is paid. */
type Priced = Pick<PlanWire, 'amount_display' | 'decimals' | 'symbol'>;

const LAMPORTS_DECIMALS = 9;
const MOST_DIGITS = 20;

/** Money, periods and dates as people of a language read them. */
export type Formats = ReturnType<typeof formatsOf>;

/** The variant of a language that the browser's person uses, or the language itself. */
function variantOf(locale: string): string {
  const own = pageLanguages().find((name) => name === locale || name.startsWith(`${locale}-`));
  return own ?? (locale === 'en' ? 'en-GB' : locale);
}

/**
 * Makes the formats of a language, which are those of the elements.
 *
 * @example
 * import { ENGLISH, formatsOf, type OfferedPlan } from '@subrail/browser';
 *
 * const formats = formatsOf(ENGLISH);
 * // 9.99 USDC every 30 days
 * const priceOf = (plan: OfferedPlan) => `${formats.price(plan)} ${formats.period(plan)}`;
 */
export function formatsOf(language: Pick<Language, 'about' | 'every' | 'locale' | 'tokens'>) {
  const variant = variantOf(language.locale);
  const date = (style: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(variant, { dateStyle: 'long', ...style });
    return (iso: string) => format.format(new Date(iso));
  };
  /** An exact decimal, such as `1234.5`: 4.2 is 4.20 where the token has two decimals or more. */
  const decimal = (text: string, decimals: number, style: Intl.NumberFormatOptions = {}) =>
    new Intl.NumberFormat(variant, {
      minimumFractionDigits: text.includes('.') ? Math.min(2, decimals) : 0,
      maximumFractionDigits: MOST_DIGITS,
      ...style,
    }).format(text as `${number}`);
  const tokens = (amount: string, symbol: string | null, decimals = MOST_DIGITS, places = 0) =>
    `${decimal(amount, decimals, places === 0 ? {} : { minimumFractionDigits: places })} ${symbol ?? language.tokens}`;
  const units = (amount: string, { decimals, symbol }: Omit<Priced, 'amount_display'>, places = 0) =>
    tokens(shifted(amount, decimals), symbol, decimals, places);

  return {
    /** An amount in whole tokens, with its symbol. */
    tokens,
    /** An amount in the smallest unit of a token, with at least so many decimals. */
    units,
    /** The price of a plan. */
    price: ({ amount_display: amount, symbol, decimals }: Priced) => tokens(amount, symbol, decimals),
    /** The period of a plan, such as `every 30 days`. */
    period: ({ period_hours: hours }: Pick<PlanWire, 'period_hours'>) =>
      hours % 24 === 0 ? language.every(hours / 24, 'day') : language.every(hours, 'hour'),
    /** The price in dollars, where it says more than the price itself; null otherwise. */
    dollars({
      amount_usd: dollars,
      amount_display: amount,
    }: Pick<PlanWire, 'amount_display' | 'amount_usd'>) {
      if (dollars === null || Number(dollars) === Number(amount)) return null;
      const digits = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
      return language.about(decimal(dollars, 2, { ...digits, maximumFractionDigits: 2 }));
    },
    /** Lamports as SOL. */
    sol: (lamports: string) => units(lamports, { decimals: LAMPORTS_DECIMALS, symbol: 'SOL' }),
    day: date({}),
    moment: date({ timeStyle: 'short' }),
    utc: date({ timeStyle: 'long', timeZone: 'UTC' }),
  };
}

/** An amount in the smallest unit as an exact decimal without trailing zeros. */
function shifted(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** A long address as a person compares it: its two ends. */
export function shortened(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}
