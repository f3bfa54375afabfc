import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../packages/host-node/src/config/read-config.js';
import { SETTINGS } from '../../packages/host-node/src/config/settings.js';
import { openLocalEnvironment } from '../../packages/host-node/src/local/local-environment.js';
import { openService, type OpenService } from '../../packages/host-node/src/service/open-service.js';
import { ROOT } from '../../scripts/tasks/repository.mjs';
import { capture, toolCommand } from '../../scripts/tasks/processes.mjs';
import { compose, kubernetes, only } from './manifests.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first);

const guide = read('docs/deploy.md');
const dockerfile = read('deploy/Dockerfile');
const [deployment, service, ingress] = kubernetes();
const pod = deployment.spec.template.spec;
const container = only(pod.containers);
const environment: Readonly<Record<string, string>> = Object.fromEntries(
  container.env.map(({ name, value }) => [name, value]),
);

/** Every variable that sets a setting of the host. */
const VARIABLES = Object.entries(SETTINGS).flatMap(([name, { secret }]) => {
  const variable = `SUBRAIL_${name.toUpperCase()}`;
  return secret ? [variable, `${variable}_FILE`] : [variable];
});

/** The complaints of a tool about a text, in a file where it finds the packages of the repository. */
async function complaintsOf(tool: string, options: string, name: string, text: string) {
  const file = join(mkdtempSync(join(ROOT, 'node_modules/.deploy-')), name);
  writeFileSync(file, text);
  const { code, output } = await capture(toolCommand(tool, [file, ...options.split(' ')]));
  rmSync(dirname(file), { recursive: true });
  return output.trim() || (code === 0 ? '' : `${tool} ended with ${code}.`);
}

const TYPED = (manifests: unknown) => `
  import type { Deployment } from 'kubernetes-types/apps/v1';
  import type { Service } from 'kubernetes-types/core/v1';
  import type { Ingress } from 'kubernetes-types/networking/v1';
  export const manifests: [Deployment, Service, Ingress] = ${JSON.stringify(manifests)};`;
const TSC = '--noEmit --strict --module ESNext --moduleResolution bundler --types node --skipLibCheck';
const DCLINT = '--quiet --disable-rule no-build-and-image --disable-rule service-image-require-explicit-tag';

it.each([
  ['dclint', DCLINT, 'compose.yaml', read('deploy/compose.yaml'), 'read_only'],
  ['typescript:tsc', TSC, 'kubernetes.ts', TYPED(kubernetes()), 'runAsUser'],
])('%s finds no misspelt field, and none in a wrong place', async (tool, args, name, text, field) => {
  expect(await complaintsOf(tool, args, name, text)).toBe('');
  expect(await complaintsOf(tool, args, name, text.replace(field, `${field}s`))).not.toBe('');
});

describe('the Dockerfile', () => {
  it('has no misspelt instruction', () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate(dockerfile.replace('USER', 'USERS'))).not.toEqual([]);
  });

  it('builds and runs on one release of Node, which is named in full', () => {
    const [builder = '', runner] = found(dockerfile, /^FROM (\S+)/gm);
    expect(builder).toMatch(/^node:\d+\.\d+\.\d+-bookworm$/);
    expect(runner).toBe(`${builder}-slim`);
  });

  it('keeps its data in its volume', () => {
    expect(found(dockerfile, /^VOLUME (.*)$/gm)).toEqual(found(dockerfile, /^ENV SUBRAIL_DATA_DIR=(.*)$/gm));
  });

  it('copies only files that there are, and that the builder is sent', () => {
    const sources = found(dockerfile, /^COPY ((?!--).*) \S+$/gm).flatMap((names) => names.split(' '));
    const sent = read('.dockerignore').split('\n');
    expect(sent).toEqual(expect.arrayContaining(['*', '**/node_modules', '**/dist', '**/.subrail']));
    const isThere = (source: string) => existsSync(join(ROOT, source)) && sent.includes(`!${source}`);
    expect(sources.filter((source) => !isThere(source))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const { services, secrets, volumes } = compose();

  it('gives no service more than it needs, restarts it, and names each image in full', () => {
    for (const service of Object.values(services)) {
      const { read_only, cap_drop, security_opt, restart, logging, image, ports = [] } = service;
      expect([read_only, cap_drop, security_opt]).toEqual([true, ['ALL'], ['no-new-privileges:true']]);
      expect(restart).toBe('unless-stopped');
      expect(logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
      expect(image).toMatch(/^subrail$|:v?\d+\.\d+\.\d+$/);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('uses volumes, secrets and files that there are', () => {
    const given = Object.values(services);
    const sources = given.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    expect(
      sources.filter((source) => !(source in volumes || existsSync(join(ROOT, 'deploy', source)))),
    ).toEqual([]);
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(given.flatMap((one) => one.secrets ?? [])));
  });

  it('sets settings of the host, without a default for what nobody else can know', () => {
    const settings = Object.entries(services['subrail']?.environment ?? {});
    expect(settings.filter(([name]) => !VARIABLES.includes(name))).toEqual([]);
    const required = settings.filter(([, value]) => String(value).includes(':?')).map(([name]) => name);
    expect(required).toEqual(['SUBRAIL_CHAIN', 'SUBRAIL_NETWORK', 'SUBRAIL_PUBLIC_URL']);
  });
});

it('Prometheus reads its alerts from where compose.yaml serves the metrics, and the guide explains each', () => {
  const config = parse(read('deploy/prometheus/prometheus.yml')) as unknown;
  const port = compose().services['subrail']?.environment?.['SUBRAIL_METRICS_PORT'];
  const scraped = { job_name: 'subrail', static_configs: [{ targets: [`subrail:${port}`] }] };
  expect(config).toMatchObject({ rule_files: ['alerts.yml'], scrape_configs: [scraped] });
  const names = found(read('deploy/prometheus/alerts.yml'), /^ *- alert: (\w+)$/gm);
  const section = guide.slice(guide.indexOf('## Alerts'), guide.indexOf('## When something breaks'));
  expect(names).not.toEqual([]);
  expect(found(section, /`(Subrail\w+)`/g).toSorted()).toEqual(names.toSorted());
});

it('subrail.service sets what the host knows, has no rights, and systemd takes it', () => {
  const unit = read('deploy/subrail.service');
  const rights = ['User=subrail', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='];
  expect(unit.split('\n')).toEqual(expect.arrayContaining(rights));
  const variables = found(unit, /^Environment=(\w+)=/gm);
  expect(variables.filter((name) => !['NODE_ENV', 'SUBRAIL_CONFIG', ...VARIABLES].includes(name))).toEqual(
    [],
  );
  const verify = spawnSync('systemd-analyze', ['verify', join(ROOT, 'deploy/subrail.service')], {
    encoding: 'utf8',
  });
  if (verify.error === undefined) expect([verify.status, verify.stderr]).toEqual([0, '']);
  else expect(verify.error).toMatchObject({ code: 'ENOENT' });
});

describe('kubernetes.yaml', () => {
  it('keeps the variables of services and the token of the cluster out, and asks the host at its own port', () => {
    // The host refuses a variable SUBRAIL_… that it does not know, such as those of a service named subrail.
    expect(pod).toMatchObject({
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container).toMatchObject({
      image: expect.stringMatching(/^registry\.example\.com\/subrail:\d+\.\d+\.\d+$/) as string,
      livenessProbe: { httpGet: { path: '/health/live', port: 'http' } },
      readinessProbe: { httpGet: { path: '/health', port: 'http' } },
    });
  });

  it('finds its own pods, ports and services', () => {
    const { labels } = deployment.spec.template.metadata;
    expect([deployment.spec.selector.matchLabels, service.spec.selector]).toEqual([labels, labels]);
    expect(container.ports).toEqual([
      { name: 'http', containerPort: Number(environment['SUBRAIL_PORT']) },
      { name: 'metrics', containerPort: Number(environment['SUBRAIL_METRICS_PORT']) },
    ]);
    expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http', 'metrics']);
    const rule = only(ingress.spec.rules);
    const backend = { service: { name: service.metadata.name, port: { name: 'http' } } };
    for (const path of rule.http.paths) expect(path.backend).toEqual(backend);
    expect([`https://${rule.host}`, only(ingress.spec.tls).hosts]).toEqual([
      environment['SUBRAIL_PUBLIC_URL'],
      [rule.host],
    ]);
  });

  it('mounts every volume, and the secrets that the guide makes where the settings look for them', () => {
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
    const [, name, files = ''] = /kubectl create secret generic (\S+) (--from-file.+)/.exec(guide) ?? [];
    // A user without a name in the image reads them as a member of the group.
    expect(pod.volumes[0]?.secret).toEqual({ secretName: name, defaultMode: 0o440 });
    const [mount, data] = container.volumeMounts;
    const named = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
    expect(mount?.readOnly).toBe(true);
    expect(new Set(named.map(([, path]) => dirname(path)))).toEqual(new Set([mount?.mountPath]));
    expect(named.map(([, path]) => basename(path)).toSorted()).toEqual(
      found(files, /--from-file=(\S+)/g).toSorted(),
    );
    expect(data?.mountPath).toBe(environment['SUBRAIL_DATA_DIR']);
    expect(pod.volumes[1]?.emptyDir.sizeLimit).toBe('16Mi');
  });

  it('runs as the user of the image without rights, and gives it the time that it takes to stop', () => {
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(container.resources.limits).toEqual({ memory: '512Mi' });
    const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = pod.securityContext;
    expect([runAsUser, runAsGroup, fsGroup, runAsNonRoot]).toEqual([1000, 1000, 1000, true]);
    expect(found(dockerfile, /^USER (.*)$/gm)).toEqual(['1000:1000']);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const [program, pause] = container.lifecycle.preStop.exec.command;
    expect(program).toBe('sleep');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(pause) + 30);
  });
});

describe('a host as kubernetes.yaml configures it', () => {
  let folder: string;
  let host: OpenService;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'subrail-kubernetes-'));
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    // On a local chain, and at ports that are free.
    const local = Object.entries(environment).filter(
      ([name]) => !/_(FILE|CHAIN|NETWORK|DATA_DIR)$/.test(name),
    );
    const ports = { SUBRAIL_PORT: '0', SUBRAIL_METRICS_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' };
    const config = readConfig({ ...Object.fromEntries(local), ...ports }, folder);
    host = await openService(config, await openLocalEnvironment(config, logger), logger);
  });
  afterAll(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is accepted, with the secrets in its files', () => {
    const secrets: Readonly<Record<string, string>> = {
      SUBRAIL_DATABASE: 'postgres://subrail:secret@db.example.com/subrail?sslmode=verify-full',
      SUBRAIL_CHARGER_KEY: JSON.stringify(Array.from({ length: 64 }, (_, index) => index)),
      SUBRAIL_SEALING_KEY: 'ab'.repeat(32),
    };
    const others = Object.entries(environment).filter(([name]) => !(name.replace(/_FILE$/, '') in secrets));
    const config = readConfig({ ...Object.fromEntries(others), ...secrets }, folder);
    expect(config).toMatchObject({
      database: { kind: 'postgres' },
      chain: { kind: 'rpc' },
      trustedProxies: 1,
      remarks: [],
    });
  });

  it('answers the probes and the metrics', async () => {
    const probes = [container.livenessProbe, container.readinessProbe].map(
      ({ httpGet }) => host.url + httpGet.path,
    );
    for (const url of [...probes, host.metricsUrl ?? ''])
      expect([url, (await fetch(url)).status]).toEqual([url, 200]);
  });

  it('serves under the paths of the ingress what customers and wallets need, and nothing else leads there', async () => {
    const paths = only(ingress.spec.rules).http.paths.map(({ path }) => path);
    const isPassedOn = (path: string) => paths.some((rule) => `${path}/`.startsWith(`${rule}/`));
    const outside = [
      '/v1/plans/pro',
      '/wallet/v1/subscriptions',
      '/customer/v1/session',
      '/checkout',
      '/checkout/v1/links',
      '/portal',
      '/cancel',
      '/pages/portal.js',
    ];
    for (const path of outside) {
      const answer = await fetch(host.url + path);
      expect([path, isPassedOn(path), answer.headers.has('location')]).toEqual([path, true, false]);
      expect(await answer.text()).not.toContain('"message":"Cannot');
    }
    const inside = [
      '/manage/v1/projects',
      '/health',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/openapi.json',
    ];
    expect(inside.filter(isPassedOn)).toEqual([]);
    expect(paths.filter((rule) => !outside.some((path) => `${path}/`.startsWith(`${rule}/`)))).toEqual([]);
  });
});
