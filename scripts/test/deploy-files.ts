import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Copy, DockerfileParser, Env, From, type Instruction } from 'dockerfile-ast';
import { parse } from 'yaml';
import * as z from 'zod';
import { ROOT } from '../tasks/repository.mjs';

/** The text of a file in `deploy`. */
export const deployFile = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');

/** A duration of Compose, such as `30s`. */
const Duration = z.string().regex(/^(\d+(ms|s|m|h))+$/);

/** What `compose.yaml` says of a service. A field that is not named here is refused, as a misspelt one must be. */
const ComposeService = z.strictObject({
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  image: z.string(),
  profiles: z.array(z.string()).optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  read_only: z.boolean(),
  tmpfs: z.string().optional(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  stop_grace_period: Duration.optional(),
  ports: z.array(z.string().regex(/^[\d.]+:\d+:\d+$/)).optional(),
  environment: z.record(z.string().regex(/^[A-Z_]+$/), z.union([z.string(), z.number()])).optional(),
  secrets: z.array(z.string()).optional(),
  volumes: z.array(z.string().regex(/^[\w./-]+:\/[\w./-]+(:ro)?$/)).optional(),
  command: z.array(z.string()).optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
});

/** What `compose.yaml` says, as far as the Compose Specification lets it. */
export const Compose = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_-]*$/),
  services: z.record(z.string(), ComposeService),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
  volumes: z.record(z.string(), z.null()),
});

/** The parsed `compose.yaml`. Throws for what is not a field of it. */
export const compose = () => Compose.parse(parse(deployFile('compose.yaml')));

/** Replaces `${NAME:-default}` and `${NAME:?message}` as compose does. Throws for a variable that is required and not given. */
export function interpolate(text: string, given: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = given[name] ?? '';
    if (value !== '') return value;
    if (kind === '?') throw new Error(`${name} is required: ${rest}`);
    return rest;
  });
}

/** The instructions of the Dockerfile, by stage. */
export function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

/** The name that `FROM … AS` gives a stage, and its base image. */
export function stageHead(stage: readonly Instruction[]): {
  readonly name: string | null;
  readonly image: string;
} {
  const [from] = stage;
  if (!(from instanceof From)) throw new Error('A stage of the Dockerfile begins with FROM.');
  return { name: from.getBuildStage(), image: from.getImage() ?? '' };
}

/** The sources and the destination of a COPY, and the stage that it copies from; null for the context. */
export function copyOf(instruction: Instruction): {
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly to: string;
} {
  const paths = instruction.getArguments().map((argument) => argument.getValue());
  const flags = instruction instanceof Copy ? instruction.getFlags() : [];
  const from = flags.find((flag) => flag.getName() === 'from');
  return { from: from?.getValue() ?? null, sources: paths.slice(0, -1), to: paths.at(-1) ?? '' };
}

/** The command of a CMD, ENTRYPOINT or HEALTHCHECK in its JSON form; null for an instruction without one. */
export function jsonCommand(instruction: Instruction): readonly string[] | null {
  const [list] = /\[[^]*\]$/.exec(instruction.getArgumentsContent() ?? '') ?? [];
  return list === undefined ? null : (JSON.parse(list) as readonly string[]);
}

/** What the last stage runs, and where. */
export interface BuiltImage {
  /** The folder that stands for the root of the image. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/**
 * Does what the Dockerfile says without containers: each stage has a folder in `scratch` for its root, COPY copies, RUN runs as
 * written. What needs the base image itself, such as its users, is left out.
 */
export function buildWithoutContainers(scratch: string): BuiltImage {
  const roots = new Map<string | null, string>();
  let image: BuiltImage | null = null;
  for (const [index, stage] of stagesOf(deployFile('Dockerfile')).entries()) {
    const root = join(scratch, `stage-${index}`);
    mkdirSync(root, { recursive: true });
    roots.set(stageHead(stage).name, root);
    image = buildStage(stage, root, roots);
  }
  if (image === null) throw new Error('The Dockerfile has no stage.');
  return image;
}

function buildStage(
  stage: readonly Instruction[],
  root: string,
  roots: ReadonlyMap<string | null, string>,
): BuiltImage {
  let folder = '/';
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
  };
  const commands: Record<string, readonly string[]> = {};
  const inRoot = (path: string) => join(root, path.startsWith('/') ? path : join(folder, path));
  for (const instruction of stage) {
    const keyword = instruction.getKeyword();
    if (keyword === 'WORKDIR') {
      folder = instruction.getArgumentsContent() ?? '/';
      mkdirSync(inRoot(folder), { recursive: true });
    } else if (instruction instanceof Env) {
      for (const property of instruction.getProperties()) {
        const value = (property.getValue() ?? '').replace(/(^|:)(?=\/)/g, `$1${root}`);
        environment[property.getName()] = value.replace('${PATH}', environment['PATH'] ?? '');
      }
    } else if (keyword === 'COPY') {
      const { from, sources, to } = copyOf(instruction);
      for (const source of sources) {
        if (from === null)
          copyFromContext(source, to.endsWith('/') ? join(inRoot(to), basename(source)) : inRoot(to));
        else
          cpSync(join(roots.get(from) ?? '', source), inRoot(to), {
            recursive: true,
            verbatimSymlinks: true,
          });
      }
    } else if (keyword === 'RUN') {
      runAsWritten(instruction.getArgumentsContent() ?? '', inRoot(folder), environment);
    } else {
      const command = jsonCommand(instruction);
      if (command !== null) commands[keyword] = command;
    }
  }
  const { ENTRYPOINT = [], CMD = [], HEALTHCHECK = [] } = commands;
  return {
    ...{ root, environment, folder: inRoot(folder) },
    command: [...ENTRYPOINT, ...CMD],
    healthcheck: HEALTHCHECK,
  };
}

/** Copies a file or a folder as a fresh clone has it: what git ignores is not in it. */
function copyFromContext(source: string, to: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', source], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = stdout.split('\n').filter((file) => file !== '');
  for (const file of files) {
    const target = file === source ? to : join(to, file.slice(source.length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, file), target);
  }
}

function runAsWritten(script: string, cwd: string, environment: Readonly<Record<string, string>>): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
    cwd,
    env: environment,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`RUN ${script}\nexited with ${status}:\n${stdout}${stderr}`);
}
