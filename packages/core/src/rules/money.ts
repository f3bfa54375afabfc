/** An amount as a person reads it: exact, without trailing zeros or exponent (plans#display-amount). */
export function displayAmount(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** A decimal string as a whole number of units of 10^-scale, or null when it is not a plain decimal. */
function parseDecimal(text: string): { readonly units: bigint; readonly scale: number } | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const fraction = match[2] ?? '';
  return { units: BigInt((match[1] ?? '') + fraction), scale: fraction.length };
}

/**
 * What an amount is worth in US dollars: price x amount, rounded half up to 6 decimals, with trailing zeros
 * trimmed down to 2 decimals (attempts#amount-in-us-dollars). Null without a price.
 * @param price the price of one whole token
 */
export function usdAmount(price: string | null, amount: bigint, decimals: number): string | null {
  const parsed = price === null ? null : parseDecimal(price);
  if (parsed === null) return null;
  const divisor = 10n ** BigInt(parsed.scale + decimals);
  return usdText((parsed.units * amount * 1_000_000n * 2n + divisor) / (divisor * 2n));
}

/** An amount of dollars in millionths, or null when it is not a plain decimal with at most 6 decimals. */
export function usdMillionths(text: string): bigint | null {
  const parsed = parseDecimal(text);
  return parsed === null || parsed.scale > 6 ? null : parsed.units * 10n ** BigInt(6 - parsed.scale);
}

/** Millionths of a dollar as a decimal string, with trailing zeros trimmed down to 2 decimals. */
export function usdText(millionths: bigint): string {
  const fraction = (millionths % 1_000_000n).toString().padStart(6, '0');
  return `${millionths / 1_000_000n}.${fraction.slice(0, 2)}${fraction.slice(2).replace(/0+$/, '')}`;
}
