import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../packages/host-node/src/config/settings.js';
import { ROOT } from '../tasks/repository.mjs';
import {
  compose,
  Compose,
  copyOf,
  deployFile,
  interpolate,
  jsonCommand,
  stageHead,
  stagesOf,
} from './deploy-files.js';

/** Every variable that sets a setting of the host. */
const VARIABLES = Object.entries(SETTINGS).flatMap(([name, { secret }]) => {
  const variable = `SUBRAIL_${name.toUpperCase()}`;
  return secret ? [variable, `${variable}_FILE`] : [variable];
});

describe('the Dockerfile', () => {
  const text = deployFile('Dockerfile');
  const stages = stagesOf(text);
  const last = stages.at(-1) ?? [];
  const named = (keyword: string) => last.filter((instruction) => instruction.getKeyword() === keyword);

  it('has nothing that a linter finds, which finds a misspelt instruction', () => {
    expect(validate(text)).toEqual([]);
    expect(validate(text.replace('USER', 'USERS'))).not.toEqual([]);
  });

  it('builds and runs on one release of Node, which is named in full', () => {
    const images = stages.map((stage) => stageHead(stage).image);
    expect(images).toEqual([
      expect.stringMatching(/^node:\d+\.\d+\.\d+-bookworm$/) as string,
      expect.stringMatching(/^node:\d+\.\d+\.\d+-bookworm-slim$/) as string,
    ]);
    expect(images[1]).toBe(`${images[0]}-slim`);
  });

  it('copies only what is in the repository and what the builder is sent', () => {
    const sent = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    expect(sent).toContain('*');
    const copied = stages.flat().filter((instruction) => instruction.getKeyword() === 'COPY');
    const sources = copied.map(copyOf).flatMap(({ from, sources: paths }) => (from === null ? paths : []));
    expect(sources).toContain('packages');
    for (const source of sources) {
      expect(existsSync(join(ROOT, source)), source).toBe(true);
      expect(sent).toContain(`!${source}`);
    }
    const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8');
    for (const folder of ['node_modules', 'dist', '.subrail']) {
      expect([ignored.includes(`${folder}/`), sent.includes(`**/${folder}`)]).toEqual([true, true]);
    }
  });

  it('copies every file of the root that the build reads', () => {
    const names = readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [entry.name] : [],
    );
    const read = new Set(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsup.config.ts', 'deploy/build.sh']);
    // A set that grows while it is walked is walked to its end.
    for (const file of read) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      for (const name of names) if (text.includes(`/${name}`) || text.includes(`'${name}'`)) read.add(name);
    }
    expect([...read]).toContain('tsconfig.base.json');
    const copied = stages.flat().filter((instruction) => instruction.getKeyword() === 'COPY');
    expect(copied.flatMap((instruction) => copyOf(instruction).sources)).toEqual(
      expect.arrayContaining([...read].filter((name) => names.includes(name))),
    );
  });

  it('runs as a user without rights, writes to a volume only, and asks the host itself whether it is well', () => {
    expect(named('USER').map((user) => user.getArgumentsContent())).toEqual(['1000:1000']);
    expect(named('VOLUME').map((volume) => volume.getArgumentsContent())).toEqual(['/data']);
    const [healthcheck] = named('HEALTHCHECK');
    const [program, ...args] = (healthcheck && jsonCommand(healthcheck)) ?? [];
    expect([program, args.join()]).toEqual(['node', expect.stringContaining('/health/live') as string]);
  });
});

describe('compose.yaml', () => {
  const file = compose();
  const services = Object.entries(file.services);

  it('has no field but those that Compose knows, so that none is misspelt', () => {
    const { subrail } = file.services;
    const misspelt = { ...file, services: { subrail: { ...subrail, read_onyl: true } } };
    expect(Compose.safeParse(file).success).toBe(true);
    expect(Compose.safeParse(misspelt).success).toBe(false);
  });

  it('gives no service more than it needs, and names each image in full', () => {
    for (const [name, service] of services) {
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          image: expect.stringMatching(/^subrail$|:v?\d+\.\d+\.\d+$/) as string,
        }),
      ]);
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('uses volumes, secrets and files that there are', () => {
    for (const [name, { volumes = [], secrets = [], build }] of services) {
      for (const source of volumes.map((volume) => volume.split(':')[0] ?? '')) {
        const found = source.startsWith('.')
          ? existsSync(join(ROOT, 'deploy', source))
          : source in file.volumes;
        expect([name, source, found]).toEqual([name, source, true]);
      }
      for (const secret of secrets) expect(file.secrets).toHaveProperty(secret);
      if (build !== undefined) expect(existsSync(join(ROOT, build.dockerfile))).toBe(true);
    }
  });

  it('sets settings of the host, with secrets as files and without a default for what nobody else can know', () => {
    const environment = Object.entries(file.services['subrail']?.environment ?? {});
    for (const [name] of environment) expect(VARIABLES).toContain(name);
    const required = environment.filter(([, value]) => {
      try {
        return interpolate(String(value), {}) === '';
      } catch {
        return true;
      }
    });
    expect(required.map(([name]) => name)).toEqual([
      'SUBRAIL_CHAIN',
      'SUBRAIL_NETWORK',
      'SUBRAIL_PUBLIC_URL',
    ]);
  });
});

describe('the files of Prometheus', () => {
  const alerts = parse(deployFile('prometheus/alerts.yml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
  };
  const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');

  it('are read together, from the port where compose.yaml serves the metrics', () => {
    const config = parse(deployFile('prometheus/prometheus.yml')) as {
      readonly rule_files: readonly string[];
      readonly scrape_configs: readonly object[];
    };
    expect(config.rule_files).toEqual(['alerts.yml']);
    const port = compose().services['subrail']?.environment?.['SUBRAIL_METRICS_PORT'];
    expect(config.scrape_configs).toEqual([
      { job_name: 'subrail', static_configs: [{ targets: [`subrail:${port}`] }] },
    ]);
  });

  it('have the alerts that docs/deploy.md gives a reason for, and no other', () => {
    const names = alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const section = page.slice(page.indexOf('## Alerts'), page.indexOf('## When something breaks'));
    const explained = [...section.matchAll(/`(Subrail\w+)`/g)].map(([, name]) => name);
    expect(explained.toSorted()).toEqual(names.toSorted());
  });
});

describe('subrail.service', () => {
  const unit = deployFile('subrail.service');
  const valuesOf = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

  it('sets what the host knows, and gives it no right that it does not need', () => {
    for (const variable of valuesOf('Environment').map((value) => value?.split('=')[0] ?? '')) {
      expect(['NODE_ENV', 'SUBRAIL_CONFIG', ...VARIABLES]).toContain(variable);
    }
    expect(['User', 'NoNewPrivileges', 'ProtectSystem', 'CapabilityBoundingSet'].map(valuesOf)).toEqual([
      ['subrail'],
      ['yes'],
      ['strict'],
      [''],
    ]);
  });

  it('is a unit that systemd takes, where there is systemd', () => {
    const file = join(ROOT, 'deploy/subrail.service');
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    if (error === undefined) expect([status, stderr]).toEqual([0, '']);
    else expect(error).toMatchObject({ code: 'ENOENT' });
  });
});
