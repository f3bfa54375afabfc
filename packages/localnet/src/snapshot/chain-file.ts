import { createHash } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import type { Address } from '@solana/kit';
import { decodeBase64, encodeBase64 } from '../base64.js';
import { parseJson, writeJson } from '../json.js';
import type { SlotStart } from '../time/chain-clock.js';
import { readLanded, writeLanded, type LandedJson } from './landed-json.js';
import type { SavedChain } from './saved-chain.js';

const FORMAT = 'subrail-localnet';
const VERSION = 2;

/**
 * Thrown for a file that is not a complete chain saved by this version of the package. The message says what is wrong
 * with it.
 */
export class UnreadableChain extends Error {
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.name = 'UnreadableChain';
  }
}

/**
 * Writes a chain to a file atomically: the old file stays until the new one is on the disk. The first line has the
 * format, its version and the hash of the second line, so that an incomplete file is recognised.
 */
export async function writeChainFile(path: string, chain: SavedChain): Promise<void> {
  const body = writeBody(chain);
  const header = writeJson({ format: FORMAT, version: VERSION, sha256: sha256(body) });
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
  return readBody(parseJson(body) as BodyJson);
}

type Integer = number | bigint;

interface BodyJson {
  readonly lamportsPerByte: Integer;
  readonly firstSlot: Integer;
  readonly seed: string;
  readonly savedAt: number;
  readonly jumps: readonly { readonly slot: Integer; readonly unixMs: number }[];
  readonly sinceJump: number;
  readonly transactionCount: Integer;
  readonly firstCompleteSlot: Integer | null;
  readonly accounts: readonly (readonly [
    address: Address,
    lamports: Integer,
    owner: Address,
    data: string,
    executable: boolean,
  ])[];
  readonly history: readonly LandedJson[];
}

function writeBody(chain: SavedChain): string {
  const json: Omit<BodyJson, 'history'> = {
    lamportsPerByte: chain.lamportsPerByte,
    firstSlot: chain.firstSlot,
    seed: encodeBase64(chain.seed),
    savedAt: chain.savedAt,
    jumps: chain.clock.jumps,
    sinceJump: chain.clock.sinceJump,
    transactionCount: chain.transactionCount,
    firstCompleteSlot: chain.firstCompleteSlot,
    accounts: chain.accounts.map(([address, { lamports, owner, data, executable }]) => [
      address,
      lamports,
      owner,
      encodeBase64(data),
      executable,
    ]),
  };
  return `${writeJson(json).slice(0, -1)},"history":[${chain.history.map(writeLanded).join(',')}]}`;
}

function readBody(json: BodyJson): SavedChain {
  const [first, ...later] = json.jumps.map(({ slot, unixMs }): SlotStart => ({ slot: BigInt(slot), unixMs }));
  if (first === undefined) throw new Error('A saved chain must have the first entry of its clock.');
  return {
    lamportsPerByte: BigInt(json.lamportsPerByte),
    firstSlot: BigInt(json.firstSlot),
    seed: decodeBase64(json.seed),
    savedAt: json.savedAt,
    clock: { jumps: [first, ...later], sinceJump: json.sinceJump },
    transactionCount: BigInt(json.transactionCount),
    firstCompleteSlot: json.firstCompleteSlot === null ? null : BigInt(json.firstCompleteSlot),
    accounts: json.accounts.map(([address, lamports, owner, data, executable]) => [
      address,
      { lamports: BigInt(lamports), owner, data: decodeBase64(data), executable },
    ]),
    history: json.history.map(readLanded),
  };
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
