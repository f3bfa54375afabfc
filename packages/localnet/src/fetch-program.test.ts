import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddressEncoder, type Address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createLocalnet,
  fetchProgram,
  NotAProgram,
  saveProgram,
  serveLocalnet,
  type Localnet,
  type ServedLocalnet,
} from './index.js';
import { findProgramAddress } from './runtime/derive-address.js';
import { signer } from './tests/transactions.js';

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
/** Starts like an ELF, and has one section header of 8 bytes at 64, which ends in zeros. */
const ELF = new Uint8Array(72);
ELF.set([0x7f, 0x45, 0x4c, 0x46]);
ELF.set([64], 0x28);
ELF.set([8], 0x3a);
ELF.set([1], 0x3c);
ELF.set([1, 2, 3], 64);
const program = (await signer(7)).address;
const authority = (await signer(8)).address;
const keyBytes = (of: Address) => new Uint8Array(getAddressEncoder().encode(of));
const programData = findProgramAddress(LOADER, [keyBytes(program)]).address;

let chain: Localnet;
let served: ServedLocalnet;

beforeEach(async () => {
  chain = createLocalnet();
  served = await serveLocalnet(chain, { port: 0 });
});
afterEach(() => served.close());

/** Writes the two accounts of an upgradeable program. */
function deploy(content: Uint8Array): void {
  chain.setAccount(program, {
    lamports: 1n,
    owner: LOADER,
    data: Uint8Array.of(2, 0, 0, 0, ...keyBytes(programData)),
  });
  const header = Uint8Array.of(3, 0, 0, 0, 0x39, 0x30, 0, 0, 0, 0, 0, 0, 1, ...keyBytes(authority));
  chain.setAccount(programData, { lamports: 1n, owner: LOADER, data: Uint8Array.of(...header, ...content) });
}

describe('fetchProgram reads the program that a cluster has deployed', () => {
  // program#program-version
  test('returns the ELF without padding, its hash, its slot of deployment and its upgrade authority', async () => {
    deploy(Uint8Array.of(...ELF, 0, 0, 0));
    const fetched = await fetchProgram(served.url, { address: program });
    expect(fetched).toEqual({
      address: program,
      elf: ELF,
      sha256: createHash('sha256').update(ELF).digest('hex'),
      deployedSlot: 12_345n,
      upgradeAuthority: authority,
    });
  });

  test('saveProgram writes the ELF and a hash file', async () => {
    deploy(ELF);
    const folder = await mkdtemp(join(tmpdir(), 'program-'));
    const path = join(folder, 'subscriptions.so');
    const fetched = await fetchProgram(served.url, { address: program });
    await saveProgram(fetched, path);
    expect(Uint8Array.from(await readFile(path))).toEqual(ELF);
    expect(await readFile(`${path}.sha256`, 'utf8')).toBe(`${fetched.sha256}  subscriptions.so\n`);
    await rm(folder, { recursive: true });
  });

  test('refuses an address without a program, a closed program, and a program without an ELF', async () => {
    const fetching = () => fetchProgram(served.url, { address: program });
    await expect(fetching()).rejects.toThrow(NotAProgram);
    chain.setAccount(program, { lamports: 1n, owner: LOADER, data: new Uint8Array(36) });
    await expect(fetching()).rejects.toThrow('is not an upgradeable program');
    deploy(ELF);
    chain.setAccount(programData, { data: new Uint8Array(45) });
    await expect(fetching()).rejects.toThrow('it may have been closed');
    await expect(fetchProgram(served.url)).rejects.toThrow(
      'holds no ELF: that node is a local chain, which runs the program in TypeScript',
    );
  });

  test('rejects on an aborted signal and when the node cannot be reached', async () => {
    deploy(ELF);
    const abortSignal = AbortSignal.abort(new Error('enough'));
    await expect(fetchProgram(served.url, { address: program, abortSignal })).rejects.toThrow('enough');
    await served.close();
    await expect(fetchProgram(served.url, { address: program })).rejects.toThrow('fetch failed');
  });
});
