import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLocalnet, fetchProgram, serveLocalnet } from '../../index.js';
import { SUBSCRIPTIONS_PROGRAM } from '../../runtime/addresses.js';
import { HOOK_ELF } from './hook-elf.js';
import { SOL, signed, signer } from '../../tests/transactions.js';

const payer = await signer(1);

describe('the Subscriptions program as an ELF', () => {
  test('runs an ELF given as bytes or as the path of a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'elf-'));
    const path = join(folder, 'program.so');
    await writeFile(path, HOOK_ELF);
    for (const program of [HOOK_ELF, path]) {
      const chain = createLocalnet({ program });
      chain.airdrop(payer.address, SOL);
      const call = { programAddress: SUBSCRIPTIONS_PROGRAM, accounts: [], data: new Uint8Array() };
      const result = chain.send(await signed(chain, payer, [call]));
      expect(result.landed).toBe(true);
      expect(result.logs[0]).toBe(`Program ${SUBSCRIPTIONS_PROGRAM} invoke [1]`);
      expect(result.processed?.fee).toBe(5_000n);
      expect(chain.getAccount(payer.address)?.lamports).toBe(SOL - 5_000n);
    }
    await rm(folder, { recursive: true });
  });

  // program#program-version
  test('fetches the ELF from a chain and starts another chain with it', async () => {
    const served = await serveLocalnet(createLocalnet({ program: HOOK_ELF }), { port: 0 });
    const { elf, upgradeAuthority } = await fetchProgram(served.url);
    await served.close();
    expect(Buffer.compare(elf, HOOK_ELF)).toBe(0);
    expect(upgradeAuthority).toBeNull();
    expect(createLocalnet({ program: elf }).getAccount(SUBSCRIPTIONS_PROGRAM)?.executable).toBe(true);
  });
});
