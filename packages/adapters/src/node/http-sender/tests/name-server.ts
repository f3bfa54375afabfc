import { createSocket } from 'node:dgram';

/** The answer to a question: addresses, no such name (NXDOMAIN), silence, or a server failure (SERVFAIL). */
export type NameAnswer = readonly string[] | 'unknown' | 'silent' | 'broken';

/** A name server on this machine. */
export interface NameServer {
  /** Where it listens, as a resolver wants it: `127.0.0.1:<port>`. */
  readonly address: string;
  /** Every question so far, as `A example.com`. A question that is asked again counts again. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

/** Opens a name server over UDP that answers each name as `answer` says. */
export async function openNameServer(answer: (name: string) => NameAnswer): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${TYPES[type] ?? type} ${name}`);
    const answered = answer(name);
    if (answered === 'silent') return;
    socket.send(reply(query.subarray(0, end), type, answered), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const HEADER_BYTES = 12;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A message with the question as it was asked, and the addresses of the family that was asked for. */
function reply(question: Buffer, type: number, answered: readonly string[] | 'unknown' | 'broken'): Buffer {
  const addresses = typeof answered === 'string' ? [] : answered.map(bytesOf);
  const wanted = addresses.filter(({ length }) => length === (type === 1 ? 4 : 16));
  const header = Buffer.from(question);
  const code = answered === 'unknown' ? 3 : answered === 'broken' ? 2 : 0;
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(wanted.length, 6);
  header.writeUInt32BE(0, 8);
  const records = wanted.map((address) => {
    const record = Buffer.alloc(12);
    // The name is the one at the start of the question.
    record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(address.length, 10);
    return Buffer.concat([record, address]);
  });
  return Buffer.concat([header, ...records]);
}

/** The 4 or 16 bytes of an address. */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes an IPv4 address at the end as two groups.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const gap = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = head.concat(gap, tail).map((group) => parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
