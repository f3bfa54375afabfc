/** Stands for a share or an amount of nothing. */
export const NOTHING = '–';

/** An amount in the smallest unit as people count it, with its token. */
export function money(amount: string, decimals: number, symbol: string | null): string {
  return `${decimal(BigInt(amount), decimals)}${symbol === null ? '' : ` ${symbol}`}`;
}

/** At least two decimals, where there are any, and thousands apart. */
export function decimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction.padEnd(2, '0')}`;
}

/** An amount to two decimals, as an estimate is told. */
export function rounded(amount: string, decimals: number, symbol: string | null): string {
  if (decimals <= 2) return money(amount, decimals, symbol);
  const unit = 10n ** BigInt(decimals - 2);
  const hundredths = (BigInt(amount) * 2n + unit) / (unit * 2n);
  return money(String(hundredths), 2, symbol);
}

/** An amount in dollars, to the cent. */
export function dollars(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const cents = Math.round(Number(`0.${fraction || '0'}`) * 100);
  const carried = BigInt(whole) + (cents === 100 ? 1n : 0n);
  return `$${carried.toLocaleString('en')}.${String(cents % 100).padStart(2, '0')}`;
}

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
