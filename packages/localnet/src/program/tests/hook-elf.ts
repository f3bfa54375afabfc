import { Buffer } from 'node:buffer';
import { address, type Address } from '@solana/kit';

/** The address of the transfer hook on every test chain. */
export const HOOK_PROGRAM: Address = address('YMN9Qj5jPNp7j14VPcML1B6xGgcPWVZUGLFU3Mnyfaf');

// A transfer hook of eighteen machine instructions, so that Token-2022 calls a real program: it counts its
// calls in the sixth account that it gets, and fails with Custom 7777 when there is none.

export const HOOK_REFUSAL = 7777;

const ACCOUNT_HEADER = 88; // marker and flags 8, key 32, owner 32, lamports 8, data length 8
const DATA_LENGTH_AT = 80;
const GROWTH_ROOM = 10_240; // the loader reserves this many bytes after each account's data

function instruction(opcode: number, registers: number, offset: number, immediate: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeUInt8(opcode, 0);
  out.writeUInt8(registers, 1);
  out.writeInt16LE(offset, 2);
  out.writeInt32LE(immediate, 4);
  return out;
}

const CODE = Buffer.concat([
  instruction(0x79, 0x12, 0, 0), // r2 = number of accounts
  instruction(0x35, 0x02, 2, 6), // with six or more, jump over the refusal
  instruction(0xb7, 0x00, 0, HOOK_REFUSAL),
  instruction(0x95, 0x00, 0, 0), // return 7777
  instruction(0x07, 0x01, 0, 8), // r1 = first account
  instruction(0xb7, 0x03, 0, 5), // r3 = accounts before the counter
  instruction(0x79, 0x14, DATA_LENGTH_AT, 0),
  instruction(0x0f, 0x41, 0, 0),
  instruction(0x07, 0x01, 0, ACCOUNT_HEADER + GROWTH_ROOM + 7),
  instruction(0x57, 0x01, 0, -8), // round down to eight bytes
  instruction(0x07, 0x01, 0, 8), // pass over the rent epoch
  instruction(0x17, 0x03, 0, 1),
  instruction(0x55, 0x03, -7, 0), // repeat for the next account
  instruction(0x79, 0x14, ACCOUNT_HEADER, 0),
  instruction(0x07, 0x04, 0, 1),
  instruction(0x7b, 0x41, ACCOUNT_HEADER, 0), // store the increased count
  instruction(0xb7, 0x00, 0, 0),
  instruction(0x95, 0x00, 0, 0), // return 0
]);

/** The hook as a shared object: a header, the code, and the three sections that a loader requires. */
export const HOOK_ELF: Uint8Array = (() => {
  const HEADER = 64;
  const names = Buffer.from('\0.text\0.shstrtab\0', 'latin1');
  const namesAt = HEADER + CODE.length;
  const sectionsAt = namesAt + Math.ceil(names.length / 8) * 8;
  const elf = Buffer.alloc(sectionsAt + 3 * 64);
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]); // ELF, 64 bits, little endian
  elf.writeUInt16LE(3, 16); // shared object
  elf.writeUInt16LE(247, 18); // BPF
  elf.writeUInt32LE(1, 20);
  elf.writeBigUInt64LE(BigInt(HEADER), 24); // entry point
  elf.writeBigUInt64LE(BigInt(HEADER), 32); // program headers: none
  elf.writeBigUInt64LE(BigInt(sectionsAt), 40);
  elf.writeUInt16LE(HEADER, 52);
  elf.writeUInt16LE(56, 54);
  elf.writeUInt16LE(64, 58);
  elf.writeUInt16LE(3, 60); // sections
  elf.writeUInt16LE(2, 62); // names are in the last of them
  elf.set(CODE, HEADER);
  elf.set(names, namesAt);
  const section = (index: number, name: number, type: number, flags: bigint, at: number, size: number) => {
    const start = sectionsAt + 64 * index;
    elf.writeUInt32LE(name, start);
    elf.writeUInt32LE(type, start + 4);
    elf.writeBigUInt64LE(flags, start + 8);
    elf.writeBigUInt64LE(flags === 0n ? 0n : BigInt(at), start + 16);
    elf.writeBigUInt64LE(BigInt(at), start + 24);
    elf.writeBigUInt64LE(BigInt(size), start + 32);
    elf.writeBigUInt64LE(8n, start + 48);
  };
  section(1, 1, 1, 6n, HEADER, CODE.length); // loaded, executable
  section(2, 7, 3, 0n, namesAt, names.length);
  return elf;
})();
