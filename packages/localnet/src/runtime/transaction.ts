import type { Address } from '@solana/kit';
import { RESERVED_ADDRESSES, UPGRADEABLE_LOADER } from './addresses.js';
import { decodeBase58, encodeBase58, toAddress } from './base58.js';
import type { AccountMeta, RuntimeInstruction } from './program.js';
import { MalformedTransaction, WireReader } from './wire-reader.js';

/** The most bytes a transaction may take on the wire. */
export const MAX_TRANSACTION_SIZE = 1232;

/** A versioned message starts with its version over this bit; a legacy one with its number of signatures. */
const VERSION_0 = 0x80;

export interface CompiledInstruction {
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
}

/** A transaction as sent: sane in form, its signatures not yet looked at. */
export interface Transaction {
  readonly wire: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  /** The bytes every signature signs. */
  readonly message: Uint8Array;
  readonly version: 'legacy' | 0;
  /** Base58 of the first signature: the name the transaction goes by. */
  readonly signature: string;
  readonly header: MessageHeader;
  readonly accounts: readonly AccountMeta[];
  readonly blockhash: string;
  /** Where the blockhash lies on the wire. */
  readonly blockhashOffset: number;
  readonly compiled: readonly CompiledInstruction[];
  readonly instructions: readonly RuntimeInstruction[];
}

export interface MessageHeader {
  readonly numRequiredSignatures: number;
  readonly numReadonlySignedAccounts: number;
  readonly numReadonlyUnsignedAccounts: number;
}

/**
 * Reads a legacy or version 0 transaction (program#transaction-admission: decode and size come first).
 * @throws {MalformedTransaction} for too many bytes, bytes that do not parse, a message whose parts contradict each other,
 * and address lookup tables, which this chain does not have.
 */
export function decodeTransaction(wire: Uint8Array): Transaction {
  if (wire.length > MAX_TRANSACTION_SIZE) {
    throw new MalformedTransaction(
      `transaction too large: ${wire.length} bytes (max: ${MAX_TRANSACTION_SIZE} bytes)`,
    );
  }
  const reader = new WireReader(wire);
  const signatures = reader.list(() => reader.bytes(64));
  const messageStart = reader.offset;
  const parsed = readMessage(reader);
  if (signatures.length !== parsed.header.numRequiredSignatures) {
    throw new MalformedTransaction(
      `the message requires ${parsed.header.numRequiredSignatures} signatures, ${signatures.length} were given`,
    );
  }
  const accounts = accountMetas(parsed.header, parsed.addresses, parsed.compiled);
  return {
    wire,
    signatures,
    message: wire.subarray(messageStart),
    version: parsed.version,
    signature: encodeBase58(signatures[0] ?? new Uint8Array(64)),
    header: parsed.header,
    accounts,
    blockhash: parsed.blockhash,
    blockhashOffset: parsed.blockhashOffset,
    compiled: parsed.compiled,
    instructions: parsed.compiled.map((instruction) => resolve(instruction, accounts)),
  };
}

/** Reads the bytes of a message alone, as `getFeeForMessage` gets them. */
export function decodeMessage(message: Uint8Array): Transaction {
  const signatures = message[(message[0] ?? 0) >= VERSION_0 ? 1 : 0] ?? 0;
  const wire = new Uint8Array(1 + 64 * signatures + message.length);
  wire[0] = signatures;
  wire.set(message, 1 + 64 * signatures);
  return decodeTransaction(wire);
}

/** The same transaction under another blockhash. Its signatures, made for the old one, are no longer right. */
export function withBlockhash(transaction: Transaction, blockhash: string): Transaction {
  const wire = transaction.wire.slice();
  wire.set(decodeBase58(blockhash) ?? [], transaction.blockhashOffset);
  return decodeTransaction(wire);
}

function readMessage(reader: WireReader) {
  const first = reader.byte();
  const version: Transaction['version'] = first === VERSION_0 ? 0 : 'legacy';
  if (first > VERSION_0) {
    throw new MalformedTransaction(
      `transaction version ${first - VERSION_0} is not supported: only legacy and 0 are`,
    );
  }
  const header: MessageHeader = {
    numRequiredSignatures: version === 'legacy' ? first : reader.byte(),
    numReadonlySignedAccounts: reader.byte(),
    numReadonlyUnsignedAccounts: reader.byte(),
  };
  const addresses = reader.list(() => toAddress(reader.bytes(32)));
  const blockhashOffset = reader.offset;
  const blockhash = encodeBase58(reader.bytes(32));
  const compiled = reader.list((): CompiledInstruction => ({
    programIndex: reader.byte(),
    accountIndexes: [...reader.bytes(reader.length())],
    data: reader.bytes(reader.length()),
  }));
  if (version === 0 && reader.length() > 0) {
    throw new MalformedTransaction('address lookup tables are not supported by this chain');
  }
  reader.end();
  assertSane(header, addresses, compiled);
  return { version, header, addresses, blockhash, blockhashOffset, compiled };
}

function assertSane(
  header: MessageHeader,
  addresses: readonly Address[],
  compiled: readonly CompiledInstruction[],
): void {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  if (numReadonlySignedAccounts >= numRequiredSignatures) {
    throw new MalformedTransaction('the fee payer must be a writable signer');
  }
  if (numRequiredSignatures + numReadonlyUnsignedAccounts > addresses.length) {
    throw new MalformedTransaction('the message header counts more accounts than the message lists');
  }
  for (const { programIndex, accountIndexes } of compiled) {
    if (programIndex === 0) throw new MalformedTransaction('the fee payer cannot be a program');
    if (programIndex >= addresses.length || accountIndexes.some((index) => index >= addresses.length)) {
      throw new MalformedTransaction('an instruction names an account the message does not list');
    }
  }
}

function accountMetas(
  header: MessageHeader,
  addresses: readonly Address[],
  compiled: readonly CompiledInstruction[],
): AccountMeta[] {
  const programs = new Set(compiled.map((instruction) => instruction.programIndex));
  const upgrading = addresses.includes(UPGRADEABLE_LOADER);
  const signers = header.numRequiredSignatures;
  const writableSigners = signers - header.numReadonlySignedAccounts;
  const writableEnd = addresses.length - header.numReadonlyUnsignedAccounts;
  return addresses.map((address, index) => {
    const asked = index < signers ? index < writableSigners : index < writableEnd;
    const demoted = RESERVED_ADDRESSES.has(address) || (programs.has(index) && !upgrading);
    return { address, isSigner: index < signers, isWritable: asked && !demoted };
  });
}

function resolve(instruction: CompiledInstruction, accounts: readonly AccountMeta[]): RuntimeInstruction {
  return {
    programAddress: at(accounts, instruction.programIndex).address,
    accounts: instruction.accountIndexes.map((index) => at(accounts, index)),
    data: instruction.data,
  };
}

function at(accounts: readonly AccountMeta[], index: number): AccountMeta {
  const meta = accounts[index];
  if (meta === undefined) throw new MalformedTransaction(`there is no account ${index}`);
  return meta;
}
