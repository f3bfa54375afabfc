/** A decimal number without a sign, with an exponent of at most three digits. */
const DECIMAL = /^(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/;

const MOST_DIGITS = 60;

/**
 * A number above zero as a plain decimal, digit by digit, so that nothing is rounded. Null for any other
 * text.
 */
export function plainDecimal(text: string): string | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (/^0*$/.test(digits) || Math.abs(point) > MOST_DIGITS) return null;
  const padded = '0'.repeat(Math.max(0, -point)) + digits + '0'.repeat(Math.max(0, point - digits.length));
  const split = Math.max(0, point);
  const before = padded.slice(0, split).replace(/^0+(?=\d)/, '') || '0';
  const after = padded.slice(split).replace(/0+$/, '');
  return after === '' ? before : `${before}.${after}`;
}
