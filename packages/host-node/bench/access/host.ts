import { cpuUsage } from 'node:process';
import { openBenchService } from './bench-service.js';

// A host of the bench of access, in a process of its own: it serves until its parent disconnects, and tells the CPU time that it took
// so far, in microseconds, each time it is asked to.

/** What the host is started with, as JSON. */
export interface HostOptions {
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;
}

const { dataDir, settings } = JSON.parse(process.argv[2] ?? '') as HostOptions;
const service = await openBenchService(dataDir, settings);
process.on('message', () => {
  const { user, system } = cpuUsage();
  process.send?.(user + system);
});
process.once('disconnect', () => void service.close().finally(() => process.exit()));
process.send?.(Number(new URL(service.url).port));
