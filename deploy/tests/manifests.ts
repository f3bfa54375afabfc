import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { ROOT } from '../../scripts/tasks/repository.mjs';

// Each field that the files may have stands where it belongs: no other name, and no name elsewhere, is read.
const { literal, number, record, strictObject: fields, string: text, tuple } = z;
const texts = z.array(text());

const ComposeService = fields({
  build: fields({ context: text(), dockerfile: text() }).optional(),
  profiles: texts.optional(),
  image: text(),
  restart: literal('unless-stopped'),
  read_only: z.boolean(),
  tmpfs: text().optional(),
  cap_drop: texts,
  security_opt: texts,
  stop_grace_period: text().optional(),
  ports: texts.optional(),
  environment: record(text(), z.union([text(), number()])).optional(),
  secrets: texts.optional(),
  volumes: texts.optional(),
  command: texts.optional(),
  logging: fields({ driver: text(), options: fields({ 'max-size': text(), 'max-file': text() }) }),
});

export const Compose = fields({
  name: text(),
  services: record(text(), ComposeService),
  secrets: record(text(), fields({ file: text() })),
  volumes: record(text(), z.null()),
});

const Labels = fields({ app: text() });
const Named = fields({ name: text(), labels: Labels });
const port = fields({ name: text(), containerPort: number() });

const Probe = fields({
  httpGet: fields({ path: text(), port: text() }),
  periodSeconds: number(),
  timeoutSeconds: number(),
  failureThreshold: number(),
});

const Container = fields({
  name: text(),
  image: text(),
  env: z.array(fields({ name: text(), value: text() })),
  ports: tuple([port, port]),
  livenessProbe: Probe,
  readinessProbe: Probe,
  lifecycle: fields({ preStop: fields({ exec: fields({ command: tuple([text(), text()]) }) }) }),
  resources: fields({
    requests: fields({ cpu: text(), memory: text() }),
    limits: fields({ memory: text() }),
  }),
  securityContext: fields({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: fields({ drop: texts }),
  }),
  volumeMounts: tuple([
    fields({ name: text(), mountPath: text(), readOnly: z.boolean() }),
    fields({ name: text(), mountPath: text() }),
  ]),
});

const Pod = fields({
  enableServiceLinks: z.boolean(),
  automountServiceAccountToken: z.boolean(),
  terminationGracePeriodSeconds: number(),
  securityContext: fields({
    runAsNonRoot: z.boolean(),
    runAsUser: number(),
    runAsGroup: number(),
    fsGroup: number(),
    seccompProfile: fields({ type: text() }),
  }),
  containers: tuple([Container]),
  volumes: tuple([
    fields({ name: text(), secret: fields({ secretName: text(), defaultMode: number() }) }),
    fields({ name: text(), emptyDir: fields({ sizeLimit: text() }) }),
  ]),
});

const Deployment = fields({
  apiVersion: literal('apps/v1'),
  kind: literal('Deployment'),
  metadata: Named,
  spec: fields({
    replicas: number(),
    selector: fields({ matchLabels: Labels }),
    strategy: fields({ rollingUpdate: fields({ maxUnavailable: number(), maxSurge: number() }) }),
    template: fields({ metadata: fields({ labels: Labels }), spec: Pod }),
  }),
});

const Service = fields({
  apiVersion: literal('v1'),
  kind: literal('Service'),
  metadata: Named,
  spec: fields({
    selector: Labels,
    ports: z.array(fields({ name: text(), port: number(), targetPort: text() })),
  }),
});

const backend = fields({ service: fields({ name: text(), port: fields({ name: text() }) }) });

const Ingress = fields({
  apiVersion: literal('networking.k8s.io/v1'),
  kind: literal('Ingress'),
  metadata: fields({ name: text(), annotations: record(text(), text()) }),
  spec: fields({
    tls: tuple([fields({ hosts: texts, secretName: text() })]),
    rules: tuple([
      fields({
        host: text(),
        http: fields({
          paths: z.array(fields({ path: text(), pathType: literal('Prefix'), backend })),
        }),
      }),
    ]),
  }),
});

const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8');

export const compose = () => Compose.parse(parse(read('compose.yaml')));

/** The deployment, the service and the ingress of `kubernetes.yaml`. */
export const kubernetes = () =>
  tuple([Deployment, Service, Ingress]).parse(
    parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as unknown),
  );
