import { expect, test } from 'vitest';
import { parseCommand, UsageError } from './arguments.js';

test.each([
  [[], { kind: 'start', config: undefined }],
  [['start', '--config', 'x.json'], { kind: 'start', config: 'x.json' }],
  [['--config', 'x.json'], { kind: 'start', config: 'x.json' }],
  [['reseal'], { kind: 'reseal', config: undefined }],
  [['reseal', '--config', 'x.json'], { kind: 'reseal', config: 'x.json' }],
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
])('parses %j', (args, command) => {
  expect(parseCommand(args)).toEqual(command);
});

test.each([
  [['run'], 'subrail has no command "run".'],
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
  [['localnet', '--port', '65535'], '--port is "65535": it must be a whole number from 0 to 65534.'],
])('refuses %j and says why', (args, message) => {
  expect(() => parseCommand(args)).toThrow(new UsageError(message));
});
