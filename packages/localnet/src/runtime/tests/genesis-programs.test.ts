import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createLocalnet,
  restoreLocalnet,
  type AccountState,
  type Localnet,
  type Program,
} from '../../index.js';
import { SOL, signed, signer, testInstruction, withTestProgram, writable } from '../../tests/transactions.js';
import { EARLY_LOADERS, UPGRADEABLE_LOADER } from '../addresses.js';
import { minimumBalance } from '../rent.js';

const payer = await signer(1);

/** Gives its account a lamport that it does not have, so that its transaction fails and is undone. */
const giving: Program = (context) => {
  for (const { address } of context.accounts) {
    const account = context.read(address);
    context.write(address, { ...account, lamports: account.lamports + 1n });
  }
};

const OPTIONS = withTestProgram(giving);

/** The programs of the genesis of which a chain has the ELF. */
const PROGRAMS: readonly Address[] = [UPGRADEABLE_LOADER, ...EARLY_LOADERS].flatMap((loader) =>
  [...createLocalnet().accounts.ownedBy(loader)]
    .filter(([, { executable }]) => executable)
    .map(([address]) => address),
);

function airdrop(chain: Localnet, address: Address): void {
  try {
    chain.airdrop(address, SOL);
  } catch (error) {
    // Nobody may write to an account that the validator reserves.
    expect(String(error)).toContain('ReadonlyLamportChange');
  }
}

/** How anybody has the account of a program written without calling the program. */
const WRITINGS: Readonly<Record<string, (chain: Localnet, program: Address) => void | Promise<void>>> = {
  'gets an airdrop': airdrop,
  'is listed as writable by a transaction that leaves it as it is': async (chain, program) => {
    const pay = getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n });
    const accounts = [...pay.accounts, writable(program)];
    chain.send(await signed(chain, payer, [{ ...pay, accounts }]));
  },
  'is to get a transfer that fails': async (chain, program) => {
    const pay = getTransferSolInstruction({ source: payer, destination: program, amount: 9n * SOL });
    chain.send(await signed(chain, payer, [pay]));
  },
  'is written by a program whose transaction fails': async (chain, program) => {
    chain.send(await signed(chain, payer, [testInstruction([], [writable(program)])]));
  },
};

/** Why the chain could not run a program, whatever the program answers when it runs. */
async function whyNotRun(chain: Localnet, program: Address): Promise<string | null> {
  const { error } = chain.send(
    await signed(chain, payer, [{ programAddress: program, data: Uint8Array.of(0xff) }]),
  );
  const told = JSON.stringify(error);
  return /UnsupportedProgramId|ProgramAccountNotFound|InvalidProgramForExecution/.test(told) ? told : null;
}

test.each(Object.entries(WRITINGS))(
  'each program of the genesis can be called, also once the chain is restored, when its account %s',
  async (_, writeAccount) => {
    const folder = await mkdtemp(join(tmpdir(), 'localnet-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const chain = createLocalnet(OPTIONS);
    chain.airdrop(payer.address, SOL);
    for (const program of PROGRAMS) await writeAccount(chain, program);
    const path = join(folder, 'chain');
    await chain.save(path);
    for (const of of [await restoreLocalnet(path, OPTIONS), chain])
      for (const program of PROGRAMS) expect(await whyNotRun(of, program), program).toBeNull();
  },
);

describe('accounts of the genesis', () => {
  /** An account with a digest of its data: to compare the bytes of an ELF one by one takes seconds. */
  const withoutLamports = (account: AccountState | null) =>
    account && {
      owner: account.owner,
      executable: account.executable,
      data: createHash('sha256').update(account.data).digest('hex'),
    };

  test('stay what they are and are listed once when they get lamports', () => {
    const chain = createLocalnet();
    const ofPrograms = [...chain.accounts.ownedBy(UPGRADEABLE_LOADER)].map(([address]) => address);
    for (const address of [...ofPrograms, ...PROGRAMS]) {
      const before = chain.getAccount(address);
      airdrop(chain, address);
      expect(withoutLamports(chain.getAccount(address))).toEqual(withoutLamports(before));
    }
    const listed = [...chain.accounts.ownedBy(UPGRADEABLE_LOADER)].map(([address]) => address);
    expect(listed.toSorted()).toEqual(ofPrograms.toSorted());
  });

  // program#rent
  test.each([3_000n, 6_960n, 10_000n])(
    'hold the lamports that exempt them from rent, at %d for each byte',
    (lamportsPerByte) => {
      const chain = createLocalnet({ lamportsPerByte });
      const mint = 'So11111111111111111111111111111111111111112' as Address;
      for (const address of [mint, ...PROGRAMS]) {
        const account = chain.getAccount(address);
        expect(account?.lamports).toBe(minimumBalance(account?.data.length ?? 0, lamportsPerByte));
      }
    },
  );

  test("with the ELF of a program are refused like the program's own, and the program still runs", async () => {
    const chain = createLocalnet();
    chain.airdrop(payer.address, SOL);
    for (const [address] of chain.accounts.ownedBy(UPGRADEABLE_LOADER))
      expect(() => chain.setAccount(address, { data: new Uint8Array() })).toThrow(RangeError);
    for (const program of PROGRAMS) expect(await whyNotRun(chain, program)).toBeNull();
  });
});
