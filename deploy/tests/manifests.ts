import type { Deployment } from 'kubernetes-types/apps/v1';
import type { Service } from 'kubernetes-types/core/v1';
import type { Ingress } from 'kubernetes-types/networking/v1';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../../scripts/tasks/repository.mjs';

const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8');

/** The fields of a service of `compose.yaml` that the tests read. */
interface ComposeService {
  readonly image: string;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly restart: string;
  readonly logging: unknown;
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
}

type Named<Value> = Readonly<Record<string, Value>>;

export const compose = () =>
  parse(read('compose.yaml')) as {
    readonly services: Named<ComposeService>;
    readonly secrets: Named<unknown>;
    readonly volumes: Named<unknown>;
  };

/** A manifest in which every field is there. */
type Full<Type> = Type extends object ? { readonly [Key in keyof Type]-?: Full<Type[Key]> } : Type;

/** The deployment, the service and the ingress of `kubernetes.yaml`. */
export const kubernetes = () =>
  parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as unknown) as [
    Full<Deployment>,
    Full<Service>,
    Full<Ingress>,
  ];

/** The only element of a list. */
export function only<Element>(list: readonly Element[]): Element {
  const [element] = list;
  if (element === undefined || list.length > 1)
    throw new Error(`Expected one element; found ${list.length}.`);
  return element;
}
