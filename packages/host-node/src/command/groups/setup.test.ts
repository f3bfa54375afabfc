import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signerFromKeyFile } from '@subrail/adapters/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config/read-config.js';
import { runHere } from '../tests/fake-terminal.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-init-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const modeOf = (...path: readonly string[]) => statSync(join(folder, ...path)).mode & 0o777;

test('init writes a configuration that the host takes, and keys that only their owner can read', async () => {
  const { code, stdout, stderr } = await runHere(['init', '--network', 'devnet', '--yes'], { folder });
  expect([code, stderr]).toEqual([0, '']);
  const { address } = await signerFromKeyFile(join(folder, '.subrail', 'charger.json'));
  expect(stdout).toContain(`  ${address}\nSend it SOL on devnet`);
  expect(stdout.match(/^ {2}subrail .*$/gm)).toEqual([
    '  subrail start',
    '  subrail project create "My shop"',
    '  subrail key create',
  ]);
  const config = readConfig({}, folder);
  expect(config).toMatchObject({ network: 'devnet', chain: { urls: ['https://api.devnet.solana.com'] } });
  expect([config.chargerKey, config.sealingKey?.length]).toEqual([
    readFileSync(join(folder, '.subrail', 'charger.json'), 'utf8').trim(),
    32,
  ]);
  const paths = [['.subrail'], ['.subrail', 'charger.json'], ['.subrail', 'sealing-key'], ['subrail.json']];
  expect(paths.map((path) => modeOf(...path))).toEqual([0o700, 0o600, 0o600, 0o600]);
});

test.each([
  ['http://127.0.0.1:9899', 'Give it SOL before charges are due: "subrail local fund" does'],
  ['https://rpc.example', 'On devnet https://faucet.solana.com gives some.'],
])('init says how the charger gets SOL on %s', async (chain, sentence) => {
  const given = ['--network', 'devnet', '--chain', chain, '--clock', 'chain', '--yes'];
  expect((await runHere(['init', ...given], { folder })).stdout).toContain(sentence);
});

test('init asks at a terminal for what was not given', async () => {
  const asked: string[] = [];
  const answers = ['mainnet-beta', 'https://rpc.example', 'state', 'https://billing.example', ''];
  const ask = (question: string) => {
    asked.push(question);
    return Promise.resolve(answers.shift() ?? '');
  };
  const { code, stdout } = await runHere(['init', '--json'], { folder, ask });
  expect([code, asked.length]).toEqual([0, 5]);
  expect(JSON.parse(stdout)).toMatchObject({ network: 'mainnet-beta', data_dir: join(folder, 'state') });
  expect(readConfig({}, folder)).toMatchObject({
    network: 'mainnet-beta',
    publicUrl: 'https://billing.example',
    serviceName: 'Subrail',
  });
});

test('init overwrites no configuration and no keys', async () => {
  await runHere(['init', '--network', 'devnet', '--yes'], { folder });
  const charger = () => readFileSync(join(folder, '.subrail', 'charger.json'), 'utf8');
  const before = charger();
  const again = await runHere(['init', '--network', 'devnet', '--yes'], { folder });
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is a configuration /) as string,
  });
  rmSync(join(folder, 'subrail.json'));
  expect((await runHere(['init', '--network', 'devnet', '--yes'], { folder })).code).toBe(0);
  expect(charger()).toBe(before);
});

test('init refuses the folder of a local chain for another network, and RPC servers that are none', async () => {
  mkdirSync(join(folder, '.subrail'));
  writeFileSync(join(folder, '.subrail', 'chain'), '');
  const local = await runHere(['init', '--network', 'devnet', '--yes'], { folder });
  expect(local).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('belongs to a local chain') as string,
  });
  const nowhere = ['init', '--network', 'devnet', '--chain', 'nowhere', '--data-dir', 'other', '--yes'];
  expect(await runHere(nowhere, { folder })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--chain is "nowhere": it must be localnet, or one or more/) as string,
  });
  expect(
    await runHere(['init', '--network', 'mainnet-beta', '--data-dir', 'other', '--yes'], { folder }),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give them with --chain') as string,
  });
});

test('init sets up the local chain too', async () => {
  const { code, stdout } = await runHere(['init', '--network', 'localnet', '--yes'], { folder });
  expect([code, stdout]).toEqual([0, expect.stringContaining('On the local chain it needs nothing')]);
  expect(readConfig({}, folder).chain).toEqual({ kind: 'localnet' });
});

test('keygen makes a key file that only its owner can read, and overwrites none', async () => {
  const made = await runHere(['keygen', '--out', 'owner.json'], { folder });
  const { address } = await signerFromKeyFile(join(folder, 'owner.json'));
  expect(made).toMatchObject({ code: 0, stdout: `${address}\n` });
  expect(modeOf('owner.json')).toBe(0o600);
  const again = await runHere(['keygen', '--out', 'owner.json'], { folder });
  expect(again).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^There is a file /) as string,
  });
  expect((await signerFromKeyFile(join(folder, 'owner.json'))).address).toBe(address);
  expect((await runHere(['keygen', '--out', 'none/owner.json'], { folder })).stderr).toMatch(
    /^The file .* cannot be created: ENOENT/,
  );
});
