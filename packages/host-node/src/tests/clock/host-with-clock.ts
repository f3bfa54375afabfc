// The `subrail` command in a process whose clock a test sets by a file and a signal.
import { readFileSync } from 'node:fs';

const machineNow = Date.now.bind(Date);
let aheadMs = 0;

globalThis.Date = new Proxy(Date, {
  construct: (time, given: readonly unknown[], called) =>
    Reflect.construct(time, given.length === 0 ? [machineNow() + aheadMs] : given, called) as Date,
  get: (time, name, called) =>
    name === 'now' ? () => machineNow() + aheadMs : (Reflect.get(time, name, called) as unknown),
});

process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(process.env['CLOCK_FILE'] ?? '', 'utf8'));
  process.stdout.write(`The clock is ${aheadMs} ms ahead.\n`);
});

await import('../../main.js');
