import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateKeyPairSigner } from '@solana/kit';
import {
  createLocalnet,
  createMint,
  localnetRpc,
  serveLocalnet,
  tokenBalanceOf,
  type ServedLocalnet,
} from '@subrail/localnet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTINGS } from '../config/settings.js';

const page = readFileSync(new URL('../../../../docs/host.md', import.meta.url), 'utf8');
const [timeTravel = '', anotherWallet = ''] = [
  ...page.slice(page.indexOf('## On the local chain')).matchAll(/^```sh\n([^]*?)^```$/gm),
].map(([, script = '']) => script);
const run = promisify(execFile);
const CURL = fileURLToPath(new URL('../../../../scripts/ci/curl.mjs', import.meta.url));

const chain = createLocalnet();
let served: ServedLocalnet;
beforeAll(async () => {
  served = await serveLocalnet(chain, { port: 0 });
});
afterAll(() => served.close());

/** Runs a script of the page in a shell, with other values for some variables and our own curl. */
async function shell(script: string, variables: Readonly<Record<string, string>>): Promise<string> {
  let text = script;
  for (const [name, value] of Object.entries(variables)) {
    const replaced = text.replace(new RegExp(`^${name}=\\S+`, 'm'), `${name}=${value}`);
    expect(replaced).not.toBe(text);
    text = replaced;
  }
  const { stdout } = await run('sh', ['-c', `curl() { "${process.execPath}" "${CURL}" "$@"; }\n${text}`]);
  return stdout;
}

test('docs/host.md lists every setting with what it accepts', () => {
  const settings = page.slice(page.indexOf('## Configuration'), page.indexOf('## The command'));
  const rows = [...settings.matchAll(/^\| `(\w+)`( \(secret\))? \| (.+?) \| .+ \|$/gm)];
  const listed = rows.map(([, name, secret, expected]) => [name, secret !== undefined, expected]);
  expect(listed).toEqual(
    Object.entries(SETTINGS).map(([name, { secret, expected }]) => [name, secret, expected]),
  );
});

test('the command of docs/host.md moves the chain’s time ahead by 30 days, each time it is run', async () => {
  for (const days of [30, 60]) {
    const before = chain.now().getTime();
    const output = await shell(timeTravel, { RPC: served.url });
    expect(output).not.toContain('error');
    expect((chain.now().getTime() - before) / 86_400_000, `up to ${days} days`).toBe(30);
  }
});

test('the commands of docs/host.md give another wallet SOL and tokens', async () => {
  const rpc = localnetRpc(chain);
  const [owner, mint, wallet] = [
    await generateKeyPairSigner(),
    await generateKeyPairSigner(),
    await generateKeyPairSigner(),
  ];
  chain.airdrop(owner.address, 1_000_000_000n);
  const token = await createMint(rpc, owner, mint);
  const [ask = ''] = timeTravel.split('slot=');
  const variables = { RPC: served.url, WALLET: wallet.address, MINT: mint.address };
  expect(await shell(`${ask}${anotherWallet}`, variables)).not.toContain('error');
  expect((await rpc.getBalance(wallet.address).send()).value).toBe(1_000_000_000n);
  expect(await tokenBalanceOf(rpc, token, wallet.address)).toBe(100_000_000n);
});
