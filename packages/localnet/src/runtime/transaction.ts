import type { Address } from '@solana/kit';
import { RESERVED_ADDRESSES, UPGRADEABLE_LOADER } from './addresses.js';
import { decodeBase58, encodeBase58, toAddress } from './base58.js';
import type { AccountMeta, RuntimeInstruction } from './program.js';
import { MalformedTransaction, WireReader } from './wire-reader.js';

/** The most bytes a transaction may take on the wire. */
const MAX_TRANSACTION_SIZE = 1232;

/** The first byte of a version 0 message. A byte below is the number of signatures of a legacy message. */
const VERSION_0 = 0x80;

/** An instruction as a message has it: its program and accounts are indexes into the message's accounts. */
interface CompiledInstruction {
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
}

/** A decoded transaction of valid form, whose signatures are not checked yet. */
export interface Transaction {
  readonly wire: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  /** The bytes every signature signs. */
  readonly message: Uint8Array;
  readonly version: 'legacy' | 0;
  /** Base58 of the first signature, which identifies the transaction. */
  readonly signature: string;
  readonly header: MessageHeader;
  readonly accounts: readonly AccountMeta[];
  readonly blockhash: string;
  readonly blockhashOffset: number;
  readonly compiled: readonly CompiledInstruction[];
  readonly instructions: readonly RuntimeInstruction[];
}

/** The numbers of a message's accounts that sign, and that are read-only. */
interface MessageHeader {
  readonly numRequiredSignatures: number;
  readonly numReadonlySignedAccounts: number;
  readonly numReadonlyUnsignedAccounts: number;
}

/**
 * Decodes a legacy or version 0 transaction: the first check of program#transaction-admission.
 * @throws {MalformedTransaction} for other bytes, a message that contradicts itself, and lookup tables
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

/** Decodes a message without signatures, as `getFeeForMessage` receives it. */
export function decodeMessage(message: Uint8Array): Transaction {
  const signatures = message[(message[0] ?? 0) >= VERSION_0 ? 1 : 0] ?? 0;
  const wire = new Uint8Array(1 + 64 * signatures + message.length);
  wire[0] = signatures;
  wire.set(message, 1 + 64 * signatures);
  return decodeTransaction(wire);
}

/** The same transaction with another blockhash. Its signatures are no longer valid. */
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
  assertConsistent(header, addresses, compiled);
  return { version, header, addresses, blockhash, blockhashOffset, compiled };
}

function assertConsistent(
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
      throw new MalformedTransaction('an instruction names an account that the message does not list');
    }
  }
}

function accountMetas(
  header: MessageHeader,
  addresses: readonly Address[],
  compiled: readonly CompiledInstruction[],
): AccountMeta[] {
  const programs = new Set(compiled.map((instruction) => instruction.programIndex));
  const namesLoader = addresses.includes(UPGRADEABLE_LOADER);
  const signers = header.numRequiredSignatures;
  const writableSigners = signers - header.numReadonlySignedAccounts;
  const writableEnd = addresses.length - header.numReadonlyUnsignedAccounts;
  return addresses.map((address, index) => {
    const requested = index < signers ? index < writableSigners : index < writableEnd;
    // A reserved address is never writable, nor is a called program, unless the upgradeable loader is named.
    const demoted = RESERVED_ADDRESSES.has(address) || (programs.has(index) && !namesLoader);
    return { address, isSigner: index < signers, isWritable: requested && !demoted };
  });
}

function resolve(instruction: CompiledInstruction, accounts: readonly AccountMeta[]): RuntimeInstruction {
  return {
    programAddress: accountAt(accounts, instruction.programIndex).address,
    accounts: instruction.accountIndexes.map((index) => accountAt(accounts, index)),
    data: instruction.data,
  };
}

function accountAt(accounts: readonly AccountMeta[], index: number): AccountMeta {
  const meta = accounts[index];
  if (meta === undefined)
    throw new MalformedTransaction(`an instruction names account ${index} of ${accounts.length}`);
  return meta;
}
