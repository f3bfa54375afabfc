import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writePrivateFile } from './private-files.js';

/** The addresses of the host of a data folder and of its local chain, if any. */
const RunningHost = z.object({ url: z.url(), rpc_url: z.url().nullable() });
type RunningHost = z.infer<typeof RunningHost>;

const fileIn = (folder: string) => join(folder, 'running-host.json');

/** Notes the address of a host in its data folder, for the commands. */
export function noteRunningHost(folder: string, host: RunningHost): void {
  writePrivateFile(fileIn(folder), JSON.stringify(host));
}

/** Forgets the host at an address. Another host of the folder may have been noted since. */
export function forgetRunningHost(folder: string, url: string): void {
  if (readRunningHost(folder)?.url === url) rmSync(fileIn(folder), { force: true });
}

/** The noted host of a folder; null when none runs. A killed host leaves its note, so ask it. */
export function readRunningHost(folder: string): RunningHost | null {
  const file = fileIn(folder);
  if (!existsSync(file)) return null;
  try {
    return RunningHost.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
