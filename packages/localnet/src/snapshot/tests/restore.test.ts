import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address, getAddressEncoder, type Address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createLocalnet,
  InstructionFailure,
  restoreLocalnet,
  UnreadableChain,
  type Localnet,
} from '../../index.js';
import { findProgramAddress } from '../../runtime/derive-address.js';
import { readChainFile, writeChainFile } from '../chain-file.js';
import { HOOK_ELF } from '../../program/tests/hook-elf.js';
import {
  SOL,
  TEST_PROGRAM,
  signed,
  signer,
  testInstruction,
  withTestProgram,
} from '../../tests/transactions.js';

const payer = await signer(1);
const other = await signer(2);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'localnet-'));
});
afterAll(() => rm(folder, { recursive: true }));

const FAILING = withTestProgram(() => {
  throw new InstructionFailure({ Custom: 400 });
});

async function chainWithHistory(): Promise<Localnet> {
  const chain = createLocalnet({ ...FAILING, lamportsPerByte: 5_080n, unixTime: 1_800_000_000n });
  chain.airdrop(payer.address, SOL);
  chain.advance({ seconds: 100, slots: 7 });
  const pay = getTransferSolInstruction({ source: payer, destination: other.address, amount: SOL / 3n });
  chain.send(await signed(chain, payer, [pay]));
  chain.send(await signed(chain, payer, [pay, testInstruction([1])]));
  chain.setAccount(other.address, { data: Uint8Array.of(1, 2, 3) });
  return chain;
}

describe('a restored chain continues where it was saved', () => {
  // program#rent
  test('with a lower rent when one is given, and accounts then hold more than they need', async () => {
    const chain = createLocalnet({ unixTime: 1_800_000_000n });
    chain.setAccount(other.address, { lamports: 6_960n * 131n, data: Uint8Array.of(1, 2, 3) });
    const path = join(folder, 'rent');
    await chain.save(path);
    const restored = await restoreLocalnet(path, { lamportsPerByte: 5_080n });
    expect(restored.lamportsPerByte).toBe(5_080n);
    const sysvar = restored.getAccount(address('SysvarRent111111111111111111111111111111111'));
    expect(Buffer.from(sysvar?.data ?? []).readBigUInt64LE(0)).toBe(5_080n);
    expect(restored.getAccount(other.address)?.lamports).toBe(6_960n * 131n);
    await restored.save(path);
    expect((await restoreLocalnet(path)).lamportsPerByte).toBe(5_080n);
  });

  test('restores accounts, time, rent, blockhashes and history', async () => {
    const chain = await chainWithHistory();
    const path = join(folder, 'whole');
    await chain.save(path);
    const restored = await restoreLocalnet(path, FAILING);
    expect([...restored.accounts.written()]).toEqual([...chain.accounts.written()]);
    expect(restored.clock.snapshot()).toEqual(chain.clock.snapshot());
    expect(restored.lamportsPerByte).toBe(5_080n);
    expect(restored.blockHeight).toBe(chain.blockHeight);
    expect(restored.latestBlockhash()).toEqual(chain.latestBlockhash());
    expect(restored.blockhashes.genesis).toBe(chain.blockhashes.genesis);
    expect(restored.history.total).toBe(chain.history.total);
    expect([...restored.history.oldestFirst()]).toEqual([...chain.history.oldestFirst()]);
  });

  test('a landed transaction cannot land again and another still can', async () => {
    const chain = await chainWithHistory();
    const pay = getTransferSolInstruction({ source: payer, destination: other.address, amount: 5n });
    const before = await signed(chain, payer, [pay]);
    const after = await signed(chain, payer, [pay, pay]);
    chain.send(before);
    const path = join(folder, 'replay');
    await chain.save(path);
    const restored = await restoreLocalnet(path, FAILING);
    expect(restored.send(before).error).toBe('AlreadyProcessed');
    expect(restored.send(after).error).toBeNull();
    expect(restored.getAccount(other.address)?.lamports).toBe(
      (chain.getAccount(other.address)?.lamports ?? 0n) + 10n,
    );
  });

  test('recognises a blockhash issued after the save once its clock has caught up', async () => {
    let ms = 0;
    const chain = createLocalnet({ monotonicMs: () => ms });
    chain.resumeClock();
    const path = join(folder, 'issued-blockhash');
    await chain.save(path);
    ms += 900;
    const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
    const restored = await restoreLocalnet(path);
    expect(restored.blockhashIsValid(blockhash)).toBe(false);
    restored.advance({ seconds: 1 });
    expect(restored.blockhashIsValid(blockhash)).toBe(true);
    restored.advance({ slots: Number(lastValidBlockHeight - restored.blockHeight) });
    expect(restored.blockhashIsValid(blockhash)).toBe(true);
    restored.advance({ slots: 1 });
    expect(restored.blockhashIsValid(blockhash)).toBe(false);
  });

  test("savedAt is the machine's time of the save, and null for a new chain", async () => {
    const chain = createLocalnet();
    expect(chain.savedAt).toBeNull();
    const path = join(folder, 'when');
    const before = Date.now();
    await chain.save(path);
    const savedAt = (await restoreLocalnet(path)).savedAt?.getTime() ?? 0;
    expect(savedAt).toBeGreaterThanOrEqual(before);
    expect(savedAt).toBeLessThanOrEqual(Date.now());
  });

  test('a program that was deployed on the chain can still be called', async () => {
    const program = TEST_PROGRAM;
    const loader = address('BPFLoaderUpgradeab1e11111111111111111111111');
    const keyBytes = (of: Address) => new Uint8Array(getAddressEncoder().encode(of));
    const { address: programData } = findProgramAddress(loader, [keyBytes(program)]);
    const owned = { lamports: SOL, owner: loader };
    const chain = createLocalnet();
    const path = join(folder, 'deployed');
    await chain.save(path);
    const empty = await readChainFile(path);
    await writeChainFile(path, {
      ...empty,
      accounts: [
        [program, { ...owned, data: Uint8Array.of(2, 0, 0, 0, ...keyBytes(programData)), executable: true }],
        [
          programData,
          { ...owned, data: Uint8Array.of(3, ...new Uint8Array(44), ...HOOK_ELF), executable: false },
        ],
      ],
    });
    const restored = await restoreLocalnet(path);
    restored.airdrop(payer.address, SOL);
    const { logs } = restored.send(await signed(restored, payer, [testInstruction([0])]));
    expect(logs[0]).toBe(`Program ${program} invoke [1]`);
    expect(logs.join()).toContain('consumed');
  });

  test('its clock is paused until it is resumed', async () => {
    const chain = createLocalnet({ monotonicMs: () => 1_000 });
    chain.resumeClock();
    const path = join(folder, 'still');
    await chain.save(path);
    const restored = await restoreLocalnet(path, { monotonicMs: () => 9_999_999 });
    expect(restored.now()).toEqual(chain.now());
    expect(restored.clock.running).toBe(false);
  });
});

describe('a file is replaced atomically', () => {
  test('overlapping saves run one after the other, the last one wins, and no temporary file is left', async () => {
    const chain = createLocalnet();
    const path = join(folder, 'overlap');
    const saves: Promise<void>[] = [];
    for (let lamports = 1n; lamports <= 5n; lamports++) {
      saves.push(chain.save(path));
      chain.setAccount(payer.address, { lamports });
    }
    await Promise.all([...saves, chain.save(path)]);
    expect((await restoreLocalnet(path)).getAccount(payer.address)?.lamports).toBe(5n);
    expect((await readdir(folder)).filter((name) => name.startsWith('overlap'))).toEqual(['overlap']);
  });

  test('a failing save rejects and the next one works', async () => {
    const chain = createLocalnet();
    await expect(chain.save(join(folder, 'missing', 'chain'))).rejects.toThrow('ENOENT');
    await expect(chain.save(join(folder, 'there'))).resolves.toBeUndefined();
  });
});

describe('files that are not a complete chain are refused', () => {
  const refusal = async (name: string, content: string): Promise<unknown> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return restoreLocalnet(path).catch((error: unknown) => error);
  };

  test('refuses a file that is cut short or has one changed letter', async () => {
    const path = join(folder, 'good');
    await (await chainWithHistory()).save(path);
    const whole = await readFile(path, 'utf8');
    for (const length of [0, 1, 40, whole.indexOf('\n'), whole.indexOf('\n') + 1, whole.length - 2]) {
      expect(await refusal('cut', whole.slice(0, length))).toBeInstanceOf(UnreadableChain);
    }
    const middle = Math.floor(whole.length / 2);
    const changed = whole.slice(0, middle) + (whole[middle] === 'A' ? 'B' : 'A') + whole.slice(middle + 1);
    expect(await refusal('changed', changed)).toMatchObject({
      message: expect.stringContaining('damaged or was cut short') as string,
    });
  });

  test('refuses a file of another format and one of another version, each with its own message', async () => {
    expect(await refusal('foreign', '{"name":"a package"}\n')).toMatchObject({
      message: expect.stringContaining('is not a saved local chain') as string,
    });
    expect(await refusal('newer', '{"format":"subrail-localnet","version":4,"sha256":""}\n{}')).toMatchObject(
      {
        message: expect.stringContaining('version 4; this software reads version 3') as string,
      },
    );
  });

  test("passes on the file system's error for a missing file", async () => {
    await expect(restoreLocalnet(join(folder, 'nothing'))).rejects.toThrow('ENOENT');
  });
});

test('a copy has everything of its chain, and neither sees what the other does afterwards', async () => {
  const chain = await chainWithHistory();
  const state = (of: Localnet) => [of.now(), of.blockHeight, of.history.total, of.getAccount(other.address)];
  const before = state(chain);
  const copy = chain.copy();
  expect(state(copy)).toEqual(before);
  const pay = getTransferSolInstruction({ source: payer, destination: other.address, amount: SOL / 9n });
  const sent = await signed(copy, payer, [pay]);
  expect(copy.send(sent)).toMatchObject({ landed: true, error: null });
  copy.setAccount(other.address, { data: Uint8Array.of(9) });
  copy.advance({ seconds: 60 });
  expect(state(chain)).toEqual(before);
  expect(chain.send(sent)).toMatchObject({ landed: true, error: null });
  expect(copy.send(await signed(copy, payer, [testInstruction([1])]))).toMatchObject({
    error: { InstructionError: [0, { Custom: 400 }] },
  });
});
