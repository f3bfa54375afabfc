/** The prime of the field over which edwards25519 is defined. */
const P = 2n ** 255n - 19n;
/** The constant d of the curve. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** Whether 32 bytes are a compressed point of edwards25519, which may have a private key and is no PDA. */
export function isOnCurve(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, 32);
  const y =
    buffer.readBigUInt64LE(0) |
    (buffer.readBigUInt64LE(8) << 64n) |
    (buffer.readBigUInt64LE(16) << 128n) |
    ((buffer.readBigUInt64LE(24) & 0x7fffffffffffffffn) << 192n);
  const ySquared = (y * y) % P;
  // x^2 = u / v has a root exactly when u * v is zero or a square, so no division and no root is needed.
  const product = ((ySquared + P - 1n) * (D * ySquared + 1n)) % P;
  return product === 0n || jacobi(product) === 1;
}

/** The Jacobi symbol of `value` over the field's prime, by the binary algorithm. */
function jacobi(value: bigint): 1 | -1 {
  let a = value;
  let n = P;
  let negative = false;
  while (a !== 0n) {
    let low = Number(a & 0xffffffffn);
    while (low === 0) {
      // This halves 32 times at once. The count is even, so the sign stays.
      a >>= 32n;
      low = Number(a & 0xffffffffn);
    }
    const twos = 31 - Math.clz32(low & -low);
    if (twos > 0) {
      a >>= BigInt(twos);
      const nMod8 = Number(n & 7n);
      if (twos % 2 === 1 && (nMod8 === 3 || nMod8 === 5)) negative = !negative;
    }
    if (a < n) {
      if ((a & 3n) === 3n && (n & 3n) === 3n) negative = !negative;
      [a, n] = [n, a];
    }
    a -= n;
  }
  return negative ? -1 : 1;
}
