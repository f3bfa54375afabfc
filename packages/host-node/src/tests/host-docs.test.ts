import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateKeyPairSigner } from '@solana/kit';
import { createLocalnet, localnetRpc, serveLocalnet, type ServedLocalnet } from '@subrail/localnet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureMint, tokenBalanceOf } from '../local/token.js';

// Runs what docs/host.md shows for the local chain, as a shell does.
const page = readFileSync(new URL('../../../../docs/host.md', import.meta.url), 'utf8');
const [timeTravel = '', anotherWallet = ''] = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(
  ([, script = '']) => script,
);
const run = promisify(execFile);
const CURL = fileURLToPath(new URL('../../../../scripts/ci/curl.mjs', import.meta.url));

const chain = createLocalnet();
let served: ServedLocalnet;
beforeAll(async () => {
  served = await serveLocalnet(chain, { port: 0 });
});
afterAll(() => served.close());

/** Runs a script of the page with some of its variables set otherwise, and our own curl where it says curl. */
async function shell(script: string, variables: Readonly<Record<string, string>>): Promise<string> {
  let text = script;
  for (const [name, value] of Object.entries(variables)) {
    const set = text.replace(new RegExp(`^${name}=\\S+`, 'm'), `${name}=${value}`);
    expect(set).not.toBe(text);
    text = set;
  }
  const { stdout } = await run('sh', ['-c', `curl() { "${process.execPath}" "${CURL}" "$@"; }\n${text}`]);
  return stdout;
}

test('what the page shows moves the time of the chain 30 days on, as often as it is run', async () => {
  for (const days of [30, 60]) {
    const before = chain.now().getTime();
    const said = await shell(timeTravel, { RPC: served.url });
    expect(said).not.toContain('error');
    expect((chain.now().getTime() - before) / 86_400_000, `up to ${days} days`).toBe(30);
  }
});

test('what the page shows gives another wallet SOL and tokens', async () => {
  const rpc = localnetRpc(chain);
  const [owner, mint, wallet] = [
    await generateKeyPairSigner(),
    await generateKeyPairSigner(),
    await generateKeyPairSigner(),
  ];
  chain.airdrop(owner.address, 1_000_000_000n);
  const token = await ensureMint(rpc, mint, { decimals: 6, authority: owner });
  const [ask = ''] = timeTravel.split('slot=');
  const variables = { RPC: served.url, WALLET: wallet.address, MINT: mint.address };
  expect(await shell(`${ask}${anotherWallet}`, variables)).not.toContain('error');
  expect((await rpc.getBalance(wallet.address).send()).value).toBe(1_000_000_000n);
  expect(await tokenBalanceOf(rpc, token, wallet.address)).toBe(100_000_000n);
});
