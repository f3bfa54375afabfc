import { createHash } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import type { Address } from '@solana/kit';
import { encodeBase64 } from '../base64.js';
import type { LandedTransaction } from '../history.js';
import type { Processed } from '../runtime/ledger.js';
import type { InnerInstruction } from '../runtime/native-runtime.js';
import type { AccountState } from '../runtime/program.js';
import { decodeTransaction } from '../runtime/transaction.js';
import type { SlotStart } from '../time/chain-clock.js';

const FORMAT = 'subrail-localnet';
const VERSION = 3;

/** The whole state of a chain, without its programs, which are chosen each time it starts. */
export interface SavedChain {
  readonly lamportsPerByte: bigint;
  readonly firstSlot: bigint;
  readonly seed: Uint8Array;
  /** The machine's time at which `clock` was read, in milliseconds since the Unix epoch. */
  readonly savedAt: number;
  readonly clock: {
    /** The start of the chain and its jumps since, oldest first. */
    readonly jumps: readonly [SlotStart, ...SlotStart[]];
    readonly sinceJump: number;
  };
  /** The number of transactions that have landed since the chain began. */
  readonly transactionCount: bigint;
  /** The first slot whose transactions are all kept; null while none was ever dropped. */
  readonly firstCompleteSlot: bigint | null;
  readonly accounts: readonly (readonly [Address, AccountState])[];
  /** The transactions that are kept, oldest first. */
  readonly history: readonly LandedTransaction[];
}

/** Thrown for a file that is no complete chain of this version. The message says what is wrong with it. */
export class UnreadableChain extends Error {
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.name = 'UnreadableChain';
  }
}

/**
 * Writes a chain to a file atomically. The first line has the format, its version and the hash of the second
 * line, which shows that a file is complete.
 */
export async function writeChainFile(path: string, chain: SavedChain): Promise<void> {
  const body = writeBody(chain);
  const header = JSON.stringify({ format: FORMAT, version: VERSION, sha256: sha256(body) });
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(`${header}\n${body}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Reads a file that `writeChainFile` wrote.
 * @throws {UnreadableChain} for any other file, and the file system's error
 */
export async function readChainFile(path: string): Promise<SavedChain> {
  const text = await readFile(path, 'utf8');
  const lineEnd = text.indexOf('\n');
  const header = readHeader(text.slice(0, Math.max(lineEnd, 0)));
  if (header?.format !== FORMAT)
    throw new UnreadableChain(path, 'is not a saved local chain. Restore a file that the local chain saved.');
  if (header.version !== VERSION) {
    throw new UnreadableChain(
      path,
      `holds a local chain of version ${String(header.version)}; this software reads version ${VERSION}. Start a new chain.`,
    );
  }
  const body = text.slice(lineEnd + 1).trimEnd();
  if (sha256(body) !== header.sha256)
    throw new UnreadableChain(
      path,
      'is damaged or was cut short: its contents do not have the hash in its first line.',
    );
  // The hash proves that `writeBody` wrote this.
  return readBody(body);
}

function writeBody({ history, ...rest }: SavedChain): string {
  return `${pack(rest).slice(0, -1)},"history":[${history.map(writeLanded).join(',')}]}`;
}

function readBody(text: string): SavedChain {
  const { history, ...rest } = unpack(text) as Omit<SavedChain, 'history'> & { history: PackedLanded[] };
  return { ...rest, history: history.map(readLanded) };
}

/** A landed transaction without what its bytes say. */
interface PackedLanded extends Omit<LandedTransaction, 'transaction' | 'processed'> {
  readonly wire: Uint8Array;
  readonly processed: Omit<Processed, 'innerInstructions'> & {
    readonly innerInstructions: Iterable<readonly [number, readonly InnerInstruction[]]>;
  };
}

// A chain is saved often and a landed transaction does not change, so each is encoded only once.
const encoded = new WeakMap<LandedTransaction, string>();

function writeLanded(landed: LandedTransaction): string {
  const cached = encoded.get(landed);
  if (cached !== undefined) return cached;
  const { transaction, processed, ...place } = landed;
  const innerInstructions = [...processed.innerInstructions];
  const packed: PackedLanded = {
    ...place,
    wire: transaction.wire,
    processed: { ...processed, innerInstructions },
  };
  const text = pack(packed);
  encoded.set(landed, text);
  return text;
}

function readLanded({ wire, processed, ...place }: PackedLanded): LandedTransaction {
  const innerInstructions = new Map(processed.innerInstructions);
  return { ...place, transaction: decodeTransaction(wire), processed: { ...processed, innerInstructions } };
}

/** Writes JSON with bytes and bigint. The first letter of each string names its type. */
function pack(value: object): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name) {
    // The argument has been through `toJSON`, which a Buffer has.
    const member = name === '' ? value : this[name];
    if (typeof member === 'bigint') return `n${member}`;
    if (member instanceof Uint8Array) return `b${encodeBase64(member)}`;
    return typeof member === 'string' ? `s${member}` : member;
  });
}

function unpack(text: string): unknown {
  return JSON.parse(text, (_, member: unknown) => {
    if (typeof member !== 'string') return member;
    const rest = member.slice(1);
    if (member.startsWith('n')) return BigInt(rest);
    return member.startsWith('b') ? Uint8Array.from(Buffer.from(rest, 'base64')) : rest;
  });
}

function readHeader(line: string): { format?: unknown; version?: unknown; sha256?: unknown } | null {
  try {
    const header: unknown = JSON.parse(line);
    return typeof header === 'object' && header !== null ? header : null;
  } catch {
    return null;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
