import { displayAmount } from '../rules/money.js';
import type { MailLanguage } from './language.js';

/** An amount in whole tokens with its symbol: 4.2 is 4.20 where the token has two decimals or more. */
export function tokensText(
  amount: bigint,
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string | null },
  { marks, tokens }: MailLanguage,
): string {
  const [whole = '', fraction] = displayAmount(amount, decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, marks.group);
  const rest = fraction === undefined ? '' : marks.decimal + fraction.padEnd(Math.min(2, decimals), '0');
  return `${grouped}${rest} ${symbol ?? tokens}`;
}

/** A period in days where its hours are whole days, else in hours. */
export function periodText(hours: number, { every }: MailLanguage): string {
  return hours % 24 === 0 ? every(hours / 24, 'day') : every(hours, 'hour');
}

/** An instant in UTC, without saying so. */
export function dateText(at: Date, { months, day }: MailLanguage): string {
  const month = months[at.getUTCMonth()] ?? '';
  return `${day(at.getUTCDate(), month, at.getUTCFullYear())}, ${at.toISOString().slice(11, 16)}`;
}

/** An instant in UTC, which the text says. */
export function momentText(at: Date, language: MailLanguage): string {
  return `${dateText(at, language)} UTC`;
}

/** A long address as a person compares it: its two ends. */
export function shortened(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}
