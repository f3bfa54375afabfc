import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { createSolanaRpc, type Address } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM, UPGRADEABLE_LOADER } from './runtime/addresses.js';
import { toAddress } from './runtime/base58.js';
import { PROGRAM_DATA_HEADER, PROGRAM_DATA_KIND, PROGRAM_KIND } from './runtime/typescript-programs.js';

/** A program as it is deployed on some cluster. */
export interface FetchedProgram {
  readonly address: Address;
  /** The ELF, without the zeros that pad its account. */
  readonly elf: Uint8Array;
  /** SHA-256 of the ELF, in hexadecimal. */
  readonly sha256: string;
  /** The slot in which it was deployed or last upgraded. */
  readonly deployedSlot: bigint;
  /** The key that may upgrade it; null when it can no longer be upgraded. */
  readonly upgradeAuthority: Address | null;
}

/** Thrown when the address holds no upgradeable program with an ELF. The message says what it holds. */
export class NotAProgram extends Error {
  constructor(address: Address, problem: string) {
    super(`${address} ${problem}`);
    this.name = 'NotAProgram';
  }
}

const ELF_MAGIC = [0x7f, 0x45, 0x4c, 0x46];
const ELF_HEADER = 64;

/**
 * Reads a deployed upgradeable program, by default the Subscriptions program, for `createLocalnet({ program:
 * elf })`.
 * @param rpcUrl a node's JSON-RPC, `https://…`
 * @throws {NotAProgram}, or kit's error when the node does not answer
 */
export async function fetchProgram(
  rpcUrl: string,
  options: { readonly address?: Address; readonly abortSignal?: AbortSignal } = {},
): Promise<FetchedProgram> {
  const { address = SUBSCRIPTIONS_PROGRAM, abortSignal } = options;
  const rpc = createSolanaRpc(rpcUrl);
  const read = async (account: Address): Promise<Buffer> => {
    // Kit reacts to a signal that fires later, not to one that has fired already.
    abortSignal?.throwIfAborted();
    const request = rpc.getAccountInfo(account, { commitment: 'confirmed', encoding: 'base64' });
    const { value } = await request.send(abortSignal && { abortSignal });
    if (value?.owner !== UPGRADEABLE_LOADER)
      throw new NotAProgram(account, 'is not an account of the upgradeable loader.');
    return Buffer.from(value.data[0], 'base64');
  };
  const program = await read(address);
  if (program.length < 36 || program.readUInt32LE(0) !== PROGRAM_KIND) {
    throw new NotAProgram(address, 'is not an upgradeable program.');
  }
  const data = await read(toAddress(program.subarray(4, 36)));
  if (data.length < PROGRAM_DATA_HEADER || data.readUInt32LE(0) !== PROGRAM_DATA_KIND) {
    throw new NotAProgram(address, 'does not point to program data: it may have been closed.');
  }
  const elf = withoutPadding(data.subarray(PROGRAM_DATA_HEADER));
  if (!ELF_MAGIC.every((byte, index) => elf[index] === byte)) {
    throw new NotAProgram(
      address,
      'holds no ELF: that node is a local chain, which runs the program in TypeScript. Fetch it from a cluster.',
    );
  }
  return {
    address,
    elf,
    sha256: createHash('sha256').update(elf).digest('hex'),
    deployedSlot: data.readBigUInt64LE(4),
    upgradeAuthority: data[12] === 1 ? toAddress(data.subarray(13, 45)) : null,
  };
}

/** Writes the ELF to `path`, and its hash to `<path>.sha256` in the format that `sha256sum -c` reads. */
export async function saveProgram({ elf, sha256 }: FetchedProgram, path: string): Promise<void> {
  const temporary = `${path}.tmp`;
  await writeFile(temporary, elf);
  await rename(temporary, path);
  await writeFile(`${path}.sha256`, `${sha256}  ${path.split('/').at(-1) ?? path}\n`);
}

/**
 * Removes the zeros after an ELF. Its section headers come last and may end in zeros, so the cut is after
 * them or after the last non-zero byte, the later of the two.
 */
function withoutPadding(data: Buffer): Uint8Array {
  let end = data.length;
  while (end > 0 && data[end - 1] === 0) end--;
  if (data.length >= ELF_HEADER) {
    const sectionsEnd =
      Number(data.readBigUInt64LE(0x28)) + data.readUInt16LE(0x3a) * data.readUInt16LE(0x3c);
    end = Math.min(Math.max(end, sectionsEnd), data.length);
  }
  return Uint8Array.from(data.subarray(0, end));
}
