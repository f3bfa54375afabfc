import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/tasks/repository.mjs';

interface ComposeService {
  readonly image: string;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
}

/** What `compose.yaml` says. */
export const compose = (): Compose =>
  parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8')) as Compose;

type Labels = Readonly<Record<string, string>>;
interface Probe {
  readonly httpGet: { readonly path: string };
}
interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}
interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly object[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle: {
    readonly preStop: { readonly exec: { readonly command: readonly [string, string] } };
  };
  readonly securityContext: object;
  readonly volumeMounts: readonly [Mount, Mount];
}
interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: Readonly<
    Record<'runAsUser' | 'runAsGroup' | 'fsGroup' | 'runAsNonRoot', unknown>
  >;
  readonly containers: readonly [Container];
  readonly volumes: readonly [{ readonly name: string; readonly secret: object }, { readonly name: string }];
}

/** The deployment, the service and the ingress of `kubernetes.yaml`, as far as its tests read them. */
export type Kubernetes = readonly [
  {
    readonly spec: {
      readonly selector: { readonly matchLabels: Labels };
      readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
    };
  },
  {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly selector: Labels; readonly ports: readonly { readonly targetPort: string }[] };
  },
  {
    readonly spec: {
      readonly tls: readonly [{ readonly hosts: readonly string[] }];
      readonly rules: readonly [
        {
          readonly host: string;
          readonly http: { readonly paths: readonly { readonly path: string; readonly backend: object }[] };
        },
      ];
    };
  },
];
