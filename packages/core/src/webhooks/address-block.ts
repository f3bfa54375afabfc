import { parseIpAddress } from '../contract/ip-address.js';

/** A block of IP addresses: those whose first `bits` bits are those of `bytes`. */
export interface AddressBlock {
  /** 4 bytes for IPv4, 16 for IPv6. */
  readonly bytes: readonly number[];
  readonly bits: number;
}

/** Reads a block such as `10.0.0.0/8`, or a single address. Null when the text is neither. */
export function parseBlock(text: string): AddressBlock | null {
  const [address = '', bits, ...rest] = text.split('/');
  const bytes = parseIpAddress(address);
  if (bytes === null || rest.length > 0) return null;
  const most = 8 * bytes.length;
  if (bits === undefined) return { bytes, bits: most };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { bytes, bits: Number(bits) } : null;
}

/** Whether an address, as its 4 or 16 bytes, is in a block. */
export function contains({ bytes, bits }: AddressBlock, address: readonly number[]): boolean {
  if (bytes.length !== address.length) return false;
  return bytes.every((byte, index) => {
    const mask = (0xff << (8 - Math.min(8, Math.max(0, bits - 8 * index)))) & 0xff;
    return (byte & mask) === ((address[index] ?? 0) & mask);
  });
}
