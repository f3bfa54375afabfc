import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { VERSION } from '../version.js';
import type { Services } from './groups/service.js';
import { createProgram } from './program.js';
import { fakeTerminal, runHere } from './tests/fake-terminal.js';

/** Runs a command line, and returns what it called with which arguments. */
async function callsOf(args: readonly string[]): Promise<Record<string, readonly unknown[]>> {
  const calls: Record<string, readonly unknown[]> = {};
  const note =
    (name: string) =>
    (...given: readonly unknown[]) => {
      calls[name] = given;
      return Promise.resolve(0);
    };
  const services = {
    start: note('start'),
    demo: note('demo'),
    localnet: note('localnet'),
    fetchProgramTo: note('fetchProgramTo'),
  } as unknown as Services;
  const context = { terminal: fakeTerminal({ folder: '/' }).terminal, args, finish: () => undefined };
  await createProgram(context, services).command.parseAsync(args, { from: 'user' });
  return calls;
}

test.each<[readonly string[], object]>([
  [[], { start: [undefined] }],
  [['start', '--config', 'x.json'], { start: ['x.json'] }],
  [['--config', 'x.json'], { start: ['x.json'] }],
  [['demo'], { demo: [] }],
  [['localnet'], { localnet: [{ port: 8899, data: null, program: null, lamportsPerByte: null }] }],
  [
    ['localnet', '--port=9000', '--data', 'c', '--program', 'p.so', '--lamports-per-byte', '5080'],
    { localnet: [{ port: 9000, data: 'c', program: 'p.so', lamportsPerByte: 5_080n }] },
  ],
  [
    ['localnet', 'fetch-program', 'https://rpc.example', 'p.so'],
    { fetchProgramTo: ['https://rpc.example', 'p.so'] },
  ],
])('runs %j', async (args, calls) => {
  expect(await callsOf(args)).toEqual(calls);
});

test('prints the help of everything or of one command, and the version', async () => {
  const { stdout } = await runHere(['--help'], { folder: '/' });
  expect(stdout).toMatch(/^Usage: subrail/);
  expect((await runHere(['help'], { folder: '/' })).stdout).toBe(stdout);
  const ofOne = (await runHere(['localnet', '-h'], { folder: '/' })).stdout;
  expect(ofOne).toContain('--port <port>');
  expect((await runHere(['help', 'localnet'], { folder: '/' })).stdout).toBe(ofOne);
  expect(await runHere(['start', '-v'], { folder: '/' })).toEqual({
    code: 0,
    stdout: `${VERSION}\n`,
    stderr: '',
  });
});

/** The words of every command of a tree. */
function commandsBelow(command: Command, words: readonly string[] = []): readonly (readonly string[])[] {
  return [words, ...command.commands.flatMap((one) => commandsBelow(one, [...words, one.name()]))];
}

test('prints no help wider than 100 columns, and none wider than a narrow terminal', async () => {
  const context = { terminal: fakeTerminal({ folder: '/' }).terminal, args: [], finish: () => undefined };
  for (const words of commandsBelow(createProgram(context).command)) {
    for (const columns of [null, 80]) {
      const { stdout } = await runHere([...words, '--help'], { folder: '/', columns });
      const [help = ''] = stdout.split('\nExample:\n');
      const wide = (columns === null ? stdout : help)
        .split('\n')
        .filter((line) => line.length > (columns ?? 100));
      expect(wide, words.join(' ')).toEqual([]);
    }
  }
});

/** No host is there: what is typed wrongly is refused before anything is asked. */
const AT_A_HOST = ['--url', 'http://127.0.0.1:1', '--key', `SUBM_${'x'.repeat(43)}`];

test.each([
  [['run'], 'subrail has no command "run".'],
  [['project', 'make'], 'subrail project has no command "make".'],
  [['plam'], 'subrail has no command "plam". Did you mean plan?'],
  [['subscriptoin', 'show'], 'subrail has no command "subscriptoin". Did you mean subscription?'],
  [['plan', 'creat'], 'subrail plan has no command "creat". Did you mean create?'],
  [['start', '--port', '1'], '"subrail start" does not accept --port.'],
  [['--colour'], 'subrail has no option --colour.'],
  [['localnet', '--colour', 'red'], 'subrail has no option --colour.'],
  [['-x'], 'subrail has no option -x.'],
  [['start', '--config'], '--config needs a value.'],
  [['localnet', '--data', '--port', '1'], '--data needs a value.'],
  [['--help=yes'], '--help takes no value.'],
  [['start', 'now'], '"subrail start" does not accept "now".'],
  [['localnet', 'fetch-program'], '"subrail localnet fetch-program" needs <rpc url>.'],
  [['localnet', 'fetch-program', 'https://a.example'], '"subrail localnet fetch-program" needs <file>.'],
  [
    ['localnet', 'fetch-program', 'nowhere', 'x'],
    '"nowhere" is not a URL: <rpc url> must be the URL of an RPC server.',
  ],
  [
    ['localnet', '--lamports-per-byte', '0.5'],
    '--lamports-per-byte is "0.5": it must be a whole number from 1 to 999999999.',
  ],
  [['localnet', '--port', '65535'], '--port is "65535": it must be a whole number from 0 to 65534.'],
  [
    ['key', 'create', '--access', 'read', ...AT_A_HOST],
    '--access is of a management key: add --management, or leave it out.',
  ],
  [
    ['upcoming', '--days', '7', '--limit', '7', ...AT_A_HOST],
    '--limit and --starting-after are not for sums by day, which have no pages.',
  ],
])('refuses %j and says why', async (args, message) => {
  const stderr = `${message}\nRun "subrail --help" to see the commands.\n`;
  expect(await runHere(args, { folder: '/' })).toEqual({ code: 2, stdout: '', stderr });
});
