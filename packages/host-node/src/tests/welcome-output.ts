import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { HostProcess } from './host-process.js';

/** What a host on the local chain says when it is up. */
export interface WelcomeOutput {
  readonly url: string;
  readonly apiKey: string;
  readonly rpcUrl: string;
  readonly wallet: string;
  readonly curls: readonly string[];
}

/** Waits for the end of the welcome and reads what it says. */
export async function readWelcome(host: HostProcess): Promise<WelcomeOutput> {
  await host.line(/Ctrl-C stops/);
  const text = host.lines.join('\n');
  const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return {
    url: found(/Subrail runs at +(\S+)/),
    apiKey: found(/API key +(\S+)/),
    rpcUrl: found(/Local Solana at +(\S+)/),
    wallet: found(/wallet=(\w+)/),
    curls: [...text.matchAll(/^ +(curl .*)$/gm)].map(([, line = '']) => line),
  };
}

/** Runs a line as a person pastes it into a shell. */
export async function runInShell(line: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Moves the time of the chain behind an RPC server to an instant. */
export async function moveChainTime(rpcUrl: string, instant: Date): Promise<void> {
  const params = [{ absoluteTimestamp: instant.getTime() }];
  await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'surfnet_timeTravel', params }),
  });
}
