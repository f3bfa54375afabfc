import { expect, test } from 'vitest';
import { parseCommand, UsageError } from './arguments.js';

test.each([
  [[], { kind: 'start', config: undefined }],
  [['start', '--config', 'x.json'], { kind: 'start', config: 'x.json' }],
  [['demo'], { kind: 'demo' }],
  [['localnet'], { kind: 'localnet', port: 8899, data: null, program: null }],
  [
    ['localnet', '--port=9000', '--data', 'c', '--program', 'p.so'],
    { kind: 'localnet', port: 9000, data: 'c', program: 'p.so' },
  ],
  [
    ['localnet', 'fetch-program', 'https://rpc.example', 'p.so'],
    { kind: 'fetch-program', rpcUrl: 'https://rpc.example', file: 'p.so' },
  ],
  [['--help'], { kind: 'help' }],
  [['start', '-v'], { kind: 'version' }],
])('%j is understood', (args, command) => {
  expect(parseCommand(args)).toEqual(command);
});

test.each([
  [['run'], 'subrail has no command "run".'],
  [['start', '--port', '1'], '"subrail start" takes no --port.'],
  [['start', 'now'], '"subrail start" has no use for "now".'],
  [['localnet', 'fetch-program'], '"subrail localnet fetch-program" needs <rpc url>.'],
  [['localnet', 'fetch-program', 'https://a.example'], '"subrail localnet fetch-program" needs <file>.'],
  [['localnet', 'fetch-program', 'nowhere', 'x'], '"nowhere" is no address of an RPC server.'],
  [['localnet', '--port', '65535'], '--port is "65535": it must be a whole number from 0 to 65534.'],
])('%j is refused in a sentence', (args, message) => {
  expect(() => parseCommand(args)).toThrow(new UsageError(message));
});

test('an option nobody knows is refused by its name', () => {
  expect(() => parseCommand(['--colour'])).toThrow(/--colour/);
});
