import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { readConfig } from '../../packages/host-node/src/config/read-config.js';
import { openLocalEnvironment } from '../../packages/host-node/src/local/local-environment.js';
import { openService, type OpenService } from '../../packages/host-node/src/service/open-service.js';
import { ROOT } from '../tasks/repository.mjs';
import { deployFile, stagesOf } from './deploy-files.js';

const Labels = z.record(z.string(), z.string());
const Metadata = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  labels: Labels.optional(),
  annotations: Labels.optional(),
});
const Port = z.strictObject({ name: z.string(), containerPort: z.int() });
const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: z.string() }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int(),
  failureThreshold: z.int(),
});

/** A container, as far as the manifest has fields. A field that is not named here is refused, as a misspelt one must be. */
const Container = z.strictObject({
  name: z.string(),
  image: z.string().regex(/:\d+\.\d+\.\d+$/),
  // Kubernetes refuses a number where it wants a text.
  env: z.array(z.strictObject({ name: z.string().regex(/^[A-Z_]+$/), value: z.string() })),
  ports: z.array(Port),
  livenessProbe: Probe,
  readinessProbe: Probe,
  lifecycle: z.strictObject({
    preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }),
  }),
  resources: z.strictObject({ requests: Labels, limits: Labels }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }),
  ),
});

const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: Metadata,
  spec: z.strictObject({
    replicas: z.int(),
    selector: z.strictObject({ matchLabels: Labels }),
    strategy: z.strictObject({
      rollingUpdate: z.strictObject({ maxUnavailable: z.int(), maxSurge: z.int() }),
    }),
    template: z.strictObject({
      metadata: z.strictObject({ labels: Labels }),
      spec: z.strictObject({
        enableServiceLinks: z.literal(false),
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.int(),
        securityContext: z.strictObject({
          runAsNonRoot: z.literal(true),
          runAsUser: z.int(),
          runAsGroup: z.int(),
          fsGroup: z.int(),
          seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
        }),
        containers: z.tuple([Container]),
        volumes: z.array(
          z.strictObject({
            name: z.string(),
            secret: z.strictObject({ secretName: z.string(), defaultMode: z.int().max(0o777) }).optional(),
            emptyDir: z.strictObject({ sizeLimit: z.string() }).optional(),
          }),
        ),
      }),
    }),
  }),
});

const Service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata: Metadata,
  spec: z.strictObject({
    selector: Labels,
    ports: z.array(z.strictObject({ name: z.string(), port: z.int(), targetPort: z.string() })),
  }),
});

const Backend = z.strictObject({
  service: z.strictObject({ name: z.string(), port: z.strictObject({ name: z.string() }) }),
});
const Ingress = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('Ingress'),
  metadata: Metadata,
  spec: z.strictObject({
    tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: z.string() })),
    rules: z.array(
      z.strictObject({
        host: z.string(),
        http: z.strictObject({
          paths: z.array(
            z.strictObject({ path: z.string(), pathType: z.enum(['Prefix', 'Exact']), backend: Backend }),
          ),
        }),
      }),
    ),
  }),
});

const Manifest = z.tuple([Deployment, Service, Ingress]);
const documents = parseAllDocuments(deployFile('kubernetes.yaml')).map(
  (document) => document.toJS() as unknown,
);
const [deployment, service, ingress] = Manifest.parse(documents);
const { labels } = deployment.spec.template.metadata;
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const environment: Record<string, string> = Object.fromEntries(
  container.env.map(({ name, value }) => [name, value]),
);
const paths = ingress.spec.rules.flatMap(({ http }) => http.paths);

describe('kubernetes.yaml', () => {
  it('has no field but those that Kubernetes knows, so that none is misspelt', () => {
    const misspelt = structuredClone(documents) as z.input<typeof Manifest>;
    Object.assign(misspelt[0].spec.template.spec, { enableServiceLink: false });
    expect(Manifest.safeParse(misspelt).success).toBe(false);
  });

  it('finds its own pods, ports and services', () => {
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    const ports = container.ports.map(({ name }) => name);
    for (const { targetPort } of service.spec.ports) expect(ports).toContain(targetPort);
    for (const { backend } of paths) {
      expect(backend.service.name).toBe(service.metadata.name);
      expect(service.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name);
    }
    expect(container.ports).toEqual([
      { name: 'http', containerPort: Number(environment['SUBRAIL_PORT']) },
      { name: 'metrics', containerPort: Number(environment['SUBRAIL_METRICS_PORT']) },
    ]);
    expect(ingress.spec.rules.map(({ host }) => `https://${host}`)).toEqual([
      environment['SUBRAIL_PUBLIC_URL'],
    ]);
    expect(ingress.spec.tls.flatMap(({ hosts }) => hosts)).toEqual(
      ingress.spec.rules.map(({ host }) => host),
    );
  });

  it('mounts every volume, and the secrets that docs/deploy.md makes where the settings look for them', () => {
    const { volumeMounts } = container;
    expect(volumeMounts.map(({ name }) => name).toSorted()).toEqual(
      pod.volumes.map(({ name }) => name).toSorted(),
    );
    const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
    const [, name, files = ''] = /kubectl create secret generic (\S+) (--from-file.+)/.exec(page) ?? [];
    const [secrets] = pod.volumes.flatMap(({ name: volume, secret }) =>
      secret ? [{ volume, ...secret }] : [],
    );
    expect(secrets?.secretName).toBe(name);
    // A user without a name in the image reads them as a member of the group.
    expect((secrets?.defaultMode ?? 0).toString(8)).toBe('440');
    const mount = volumeMounts.find(({ name: volume }) => volume === secrets?.volume);
    expect(mount?.readOnly).toBe(true);
    const named = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
    for (const [, path] of named) expect(dirname(path)).toBe(mount?.mountPath);
    expect(named.map(([, path]) => basename(path)).toSorted()).toEqual(
      [...files.matchAll(/--from-file=(\S+)/g)].map(([, file]) => file).toSorted(),
    );
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain(environment['SUBRAIL_DATA_DIR']);
  });

  it('runs as the user of the image, and gives it the time that it takes to stop', () => {
    const [user] = (stagesOf(deployFile('Dockerfile')).at(-1) ?? []).flatMap((instruction) =>
      instruction.getKeyword() === 'USER' ? [instruction.getArgumentsContent()] : [],
    );
    const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;
    expect([`${runAsUser}:${runAsGroup}`, fsGroup]).toEqual([user, runAsGroup]);
    const [program, pause] = container.lifecycle.preStop.exec.command;
    expect(program).toBe('sleep');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(pause) + 30);
    const { timeoutSeconds, periodSeconds } = container.livenessProbe;
    expect(timeoutSeconds).toBeLessThanOrEqual(periodSeconds);
  });
});

describe('a host as kubernetes.yaml configures it', () => {
  let folder: string;
  let host: OpenService;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'subrail-kubernetes-'));
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    // On a local chain, and at ports that are free.
    const local = Object.fromEntries(
      Object.entries(environment).filter(([name]) => !/_(FILE|CHAIN|NETWORK|DATA_DIR)$/.test(name)),
    );
    const config = readConfig(
      { ...local, SUBRAIL_PORT: '0', SUBRAIL_METRICS_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' },
      folder,
    );
    host = await openService(config, await openLocalEnvironment(config, logger), logger);
  });
  afterAll(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is accepted, with the secrets in its files', () => {
    const secrets = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => {
        const content: Readonly<Record<string, string>> = {
          SUBRAIL_DATABASE_FILE: 'postgres://subrail:secret@db.example.com/subrail?sslmode=verify-full',
          SUBRAIL_CHARGER_KEY_FILE: JSON.stringify(Array.from({ length: 64 }, (_, index) => index)),
          SUBRAIL_SEALING_KEY_FILE: 'ab'.repeat(32),
        };
        const secret = content[name];
        return secret === undefined ? [name, value] : [name.replace(/_FILE$/, ''), secret];
      }),
    );
    const config = readConfig(secrets, folder);
    expect(config).toMatchObject({
      database: { kind: 'postgres' },
      chain: { kind: 'rpc', urls: [environment['SUBRAIL_CHAIN']] },
      trustedProxies: 1,
      remarks: [],
    });
  });

  it('answers the probes, at the ports that they ask', async () => {
    for (const { httpGet } of [container.livenessProbe, container.readinessProbe]) {
      expect(httpGet.port).toBe('http');
      const { status } = await fetch(host.url + httpGet.path);
      expect([httpGet.path, status]).toEqual([httpGet.path, 200]);
    }
    const { status } = await fetch(host.metricsUrl ?? '');
    expect(status).toBe(200);
  });

  it('serves under the paths of the ingress what customers and wallets need, and nothing else leads there', async () => {
    const isPassedOn = (path: string) => paths.some((rule) => `${path}/`.startsWith(`${rule.path}/`));
    const outside = ['/v1/plans/pro', '/cancel', '/cancel/page.js', '/wallet/v1/subscriptions'];
    for (const path of outside) {
      const { status, headers } = await fetch(host.url + path);
      const message =
        status === 404 ? ((await (await fetch(host.url + path)).json()) as { message: string }).message : '';
      expect([path, isPassedOn(path), message.startsWith('Cannot'), headers.has('location')]).toEqual([
        path,
        true,
        false,
        false,
      ]);
    }
    for (const path of [
      '/manage/v1/projects',
      '/health',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/openapi.json',
    ])
      expect([path, isPassedOn(path)]).toEqual([path, false]);
    expect(paths.every(({ path }) => outside.some((served) => `${served}/`.startsWith(`${path}/`)))).toBe(
      true,
    );
  });
});
