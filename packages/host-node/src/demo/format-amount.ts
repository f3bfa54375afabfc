/** Formats an amount in the smallest unit with its symbol: exact, without trailing zeros. */
export function formatAmount(
  amount: bigint,
  { decimals, symbol }: { decimals: number; symbol: string },
): string {
  return `${inTokens(amount, decimals)} ${symbol}`;
}

/** An amount in the smallest unit as whole tokens: exact, without trailing zeros. */
export function inTokens(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const fraction = String(amount % unit)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${amount / unit}${fraction === '' ? '' : `.${fraction}`}`;
}
