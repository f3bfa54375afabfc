import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { HostProcess } from './host-process.js';

/** The values in the message that a host on the local chain prints when it has started. */
export interface WelcomeOutput {
  readonly url: string;
  readonly apiKey: string;
  readonly rpcUrl: string;
  readonly dashboardUrl: string;
  readonly wallet: string;
  readonly curlLines: readonly string[];
  /** The arguments of the printed `subrail` commands. */
  readonly commands: readonly (readonly string[])[];
  /** A line that begins a subscription of the demo wallet over HTTP. */
  readonly beginLine: string;
  /** The arguments of the printed command that receives webhooks. */
  readonly receiverArguments: readonly string[];
}

/** Waits until the welcome message is complete and reads it. */
export async function readWelcome(host: HostProcess): Promise<WelcomeOutput> {
  await host.line(/Ctrl-C stops/);
  const text = host.lines.join('\n');
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  const url = find(/Subrail runs at +(\S+)/);
  const apiKey = find(/API key +(\S+)/);
  const body = JSON.stringify({ plan: 'pro', wallet: find(/wallet=(\w+)/) });
  return {
    url,
    apiKey,
    commands: [...text.matchAll(/^ +npm start --silent -- (.*)$/gm)].map(([, line = '']) => line.split(' ')),
    beginLine: `curl -s -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}' '${url}/v1/subscriptions'`,
    dashboardUrl: find(/Dashboard at +(\S+)/),
    rpcUrl: find(/Local Solana at +(\S+)/),
    wallet: find(/wallet=(\w+)/),
    receiverArguments: find(/^ +npm run webhooks -- (.*)$/m).split(' '),
    curlLines: [...text.matchAll(/^ +(curl .*)$/gm)].map(([, line = '']) => line),
  };
}

/** Runs a line in a shell, as a person who pastes it does. */
export async function runInShell(line: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Moves a chain's time to an instant through its RPC. */
export async function moveChainTime(rpcUrl: string, instant: Date): Promise<void> {
  const params = [{ absoluteTimestamp: instant.getTime() }];
  await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'surfnet_timeTravel', params }),
  });
}
