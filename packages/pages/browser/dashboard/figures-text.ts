import { formats } from './pieces.js';

/** Stands for a share or an amount of nothing. */
export const NOTHING = '–';

/** An amount to two decimals, as an estimate is told. */
export function rounded(
  amount: string,
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string | null },
): string {
  if (decimals <= 2) return formats.units(amount, { decimals, symbol });
  const unit = 10n ** BigInt(decimals - 2);
  const hundredths = (BigInt(amount) * 2n + unit) / (unit * 2n);
  return formats.units(String(hundredths), { decimals: 2, symbol });
}

const inDollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

/** An amount in dollars, to the cent. */
export const dollars = (text: string): string => inDollars.format(text as `${number}`);

export function percent(share: number | null): string {
  return share === null ? NOTHING : `${Math.round(share * 1_000) / 10} %`;
}

/** A number of things, such as `1 charge` and `1,200 charges`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A date in UTC, such as `Oct 2`. */
export function dayName(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
}
