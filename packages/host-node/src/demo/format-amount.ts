/** An amount in the smallest unit as a person counts it: exact, without zeros at its end. */
export function formatAmount(
  amount: bigint,
  { decimals, symbol }: { decimals: number; symbol: string },
): string {
  const unit = 10n ** BigInt(decimals);
  const fraction = String(amount % unit)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${amount / unit}${fraction === '' ? '' : `.${fraction}`} ${symbol}`;
}
