import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHere } from '../command/tests/fake-terminal.js';
import { readConfig } from './read-config.js';

/** The variables of a service with one port, in the words of Kubernetes. */
function serviceVariables(name: string, port: number, address = '10.96.7.1', portName?: string) {
  const url = `tcp://${address.includes(':') ? `[${address}]` : address}:${port}`;
  return {
    [`${name}_SERVICE_HOST`]: address,
    [`${name}_SERVICE_PORT`]: String(port),
    ...(portName === undefined ? {} : { [`${name}_SERVICE_PORT_${portName}`]: String(port) }),
    [`${name}_PORT`]: url,
    [`${name}_PORT_${port}_TCP`]: url,
    [`${name}_PORT_${port}_TCP_PROTO`]: 'tcp',
    [`${name}_PORT_${port}_TCP_PORT`]: String(port),
    [`${name}_PORT_${port}_TCP_ADDR`]: address,
  };
}

/** Variables that platforms set, each with the reason for our prefix. */
const PLATFORMS: readonly (readonly [platform: string, variables: Readonly<Record<string, string>>])[] = [
  ['Kubernetes, with a Service subrail', serviceVariables('SUBRAIL', 4242)],
  ['Kubernetes, with a named port', serviceVariables('SUBRAIL', 80, '10.96.7.1', 'HTTP')],
  ['Kubernetes on IPv6', serviceVariables('SUBRAIL', 4242, 'fd00:10:96::1')],
  ['Kubernetes, with a Service subrail-metrics', serviceVariables('SUBRAIL_METRICS', 9464)],
  ['Kubernetes, with a Service subrail-localnet', serviceVariables('SUBRAIL_LOCALNET', 8899)],
  ['Kubernetes, with a Service subrail-service', serviceVariables('SUBRAIL_SERVICE', 80)],
  ['Kubernetes, with a Service subrail-database', serviceVariables('SUBRAIL_DATABASE', 5432)],
  [
    'Kubernetes, with a port of UDP and one of SCTP',
    {
      SUBRAIL_PORT: 'udp://10.96.7.1:514',
      SUBRAIL_PORT_514_UDP_PROTO: 'udp',
      SUBRAIL_PORT_99_SCTP: 'sctp://10.96.7.1:99',
      SUBRAIL_PORT_99_SCTP_PROTO: 'sctp',
    },
  ],
  [
    'Docker, with a link to a container subrail',
    {
      SUBRAIL_NAME: '/web/subrail',
      SUBRAIL_PORT: 'tcp://172.17.0.5:4242',
      SUBRAIL_PORT_4242_TCP_PORT_START: '4242',
      SUBRAIL_PORT_4242_TCP_PORT_END: '4250',
      SUBRAIL_ENV_NODE_ENV: 'production',
      SUBRAIL_ENV_SUBRAIL_HOST: '0.0.0.0',
    },
  ],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-platforms-'));
  writeFileSync(join(folder, 'subrail.json'), '{ "port": 7000 }');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

// starting#variables-of-a-platform
test.each(PLATFORMS)(
  'goes by its own settings on %s, and names what it ignored in one line',
  (_, variables) => {
    const { remarks, ...config } = readConfig(variables, folder);
    const { remarks: none, ...alone } = readConfig({}, folder);
    expect(config).toEqual(alone);
    expect(config.port).toBe(7000);
    expect(none).toEqual([]);
    expect(remarks).toEqual([
      {
        level: 'info',
        sentence: `Ignored, because the platform sets them for its services and they are no settings: ${Object.keys(variables).join(', ')}.`,
      },
    ]);
  },
);

test.each(PLATFORMS)('runs commands on %s', async (_, environment) => {
  const { stderr } = await runHere(['plan', 'list'], { folder, environment });
  expect(stderr).toMatch(/^There is no database at .+\.\n$/);
});

// Names of settings that a platform's variables come close to.
test('keeps a setting beside the variables of a service that its name begins with', () => {
  const variables = { ...serviceVariables('SUBRAIL_SERVICE', 80), SUBRAIL_SERVICE_NAME: 'My Shop' };
  expect(readConfig(variables, folder).serviceName).toBe('My Shop');
});

// The manifest of a pod may set one of these names itself, and a person may mistype a setting.
test.each([
  [{ SUBRAIL_PORT: '4343' }, null],
  [
    { SUBRAIL_PORT: 'tcp://10.96.7.1' },
    'SUBRAIL_PORT is "tcp://10.96.7.1": it must be a whole number from 0 to 65535, 0 for any free port.',
  ],
  [
    { SUBRAIL_PORT: 'https://billing.example:443' },
    'SUBRAIL_PORT is "https://billing.example:443": it must be a whole number from 0 to 65535, 0 for any free port.',
  ],
  [{ SUBRAIL_SERVICE_HOST: 'localhost' }, 'SUBRAIL_SERVICE_HOST is not a known environment variable.'],
  [{ SUBRAIL_SERVICE_PORT: 'http' }, 'SUBRAIL_SERVICE_PORT is not a known environment variable.'],
  [{ SUBRAIL_NAME: '/web/subrail' }, 'SUBRAIL_NAME is not a known environment variable.'],
  [{ SUBRAIL_PROT: '4242' }, 'SUBRAIL_PROT is not a known environment variable.'],
])('still reads %j as what somebody wrote', (variables, problem) => {
  const read = () => readConfig(variables, folder);
  if (problem === null) expect(read().port).toBe(4343);
  else expect(read).toThrow(problem);
});
