import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writePrivateFile } from './private-files.js';

/** Where the host of a data folder can be reached, and its local chain, if it has one. */
const RunningHost = z.object({ url: z.url(), rpc_url: z.url().nullable() });
type RunningHost = z.infer<typeof RunningHost>;

const fileIn = (folder: string) => join(folder, 'running-host.json');

/** Notes in the data folder where its host can be reached, for the commands. */
export function noteRunningHost(folder: string, host: RunningHost): void {
  writePrivateFile(fileIn(folder), JSON.stringify(host));
}

/** Forgets the host that answers at an address. Another one on the folder may have been noted since. */
export function forgetRunningHost(folder: string, url: string): void {
  if (readRunningHost(folder)?.url === url) rmSync(fileIn(folder), { force: true });
}

/** Where the host of the folder can be reached; null when none runs. One that was killed leaves its note, so ask it. */
export function readRunningHost(folder: string): RunningHost | null {
  const file = fileIn(folder);
  if (!existsSync(file)) return null;
  try {
    return RunningHost.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
