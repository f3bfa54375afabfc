/** The 4 or 16 bytes of an IP address; null for zones, leading zeros and shortened IPv4 forms. */
export function parseIpAddress(text: string): readonly number[] | null {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text);
}

function parseIPv4(text: string): readonly number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function parseIPv6(text: string): readonly number[] | null {
  const halves = text.split('::').map(groups);
  const [head, tail] = halves;
  if (head === undefined || head === null || tail === null || halves.length > 2) return null;
  if (tail === undefined) return head.length === 16 ? head : null;
  const gap = 16 - head.length - tail.length;
  return gap >= 2 ? [...head, ...Array.from({ length: gap }, () => 0), ...tail] : null;
}

/** Returns the bytes of the groups on one side of `::`. The last group may be an IPv4 address. */
function groups(text: string): readonly number[] | null {
  if (text === '') return [];
  const bytes: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const embeddedIPv4 = index === parts.length - 1 && part.includes('.') ? parseIPv4(part) : null;
    if (embeddedIPv4 !== null) bytes.push(...embeddedIPv4);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) bytes.push(parseInt(part, 16) >> 8, parseInt(part, 16) & 0xff);
    else return null;
  }
  return bytes;
}
