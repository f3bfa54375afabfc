import * as z from 'zod';

import type { Billing, ProjectBilling } from '../billing.js';
import type { ClientOptions } from '../client/options.js';
import type { Route } from '../client/routes.js';
import { pathSegment } from '../client/path-segment.js';
import { createSend, type Send } from '../client/send.js';
import { groupsOf, isOfProject, type Groups } from '../operations/groups.js';
import type { Operation } from '../operations/operation.js';
import { MANAGED_OPERATIONS } from '../operations/table.js';

/**
 * The functions of a service: those of a `Billing`, or the same over HTTP. A program that manages a service takes one of these, and
 * does not care where the service runs.
 */
export interface Manager extends Pick<Billing, 'projects' | 'secrets' | 'management'> {
  /**
   * The functions of one project.
   *
   * @example
   * const { name } = await manager.project(projectId).retrieve();
   */
  project(projectId: string): ProjectBilling;
}

/** How a manager reaches the service. `key` is a management key, `SUBM_` and 43 characters. */
export type ManagerOptions = Omit<ClientOptions, 'key'> & { readonly key: string };

/** A read may be repeated. An act may have taken effect although its answer was lost, so it is sent once. */
const REPEATS_OF_AN_ACT = 0;
const TIMEOUT_MS = 100_000;

/**
 * Creates the functions of a service over its management routes. Nothing is sent before a function is called. A failed call throws
 * a `CallError`: an `ApiError` when the service refused it. Reads are repeated as a client's calls are; acts are not.
 * Throws a TypeError for an option with which no call can be made.
 *
 * @example
 * const manager = createManager({ url: 'https://billing.example.com', key });
 * for (const { id, name } of await manager.projects.list()) console.log(id, name);
 */
export function createManager(options: ManagerOptions): Manager {
  const send = createSend(options);
  const ofService = groupsOf(MANAGED_OPERATIONS.filter((operation) => !isOfProject(operation)));
  const ofProject = groupsOf(MANAGED_OPERATIONS.filter(isOfProject));
  const functions = (groups: Groups, project: readonly string[]) =>
    Object.fromEntries(
      Array.from(groups, ([group, members]) => [
        group,
        Object.fromEntries(
          members.map(([member, operation]) => [member, functionOf(send, operation, project)]),
        ),
      ]),
    );
  return {
    ...functions(ofService, []),
    project(id: string) {
      const { projects, ...groups } = functions(ofProject, [id]);
      return { ...groups, ...projects };
    },
    // The operations have the functions of Billing, which the compiler checks in billing.ts.
  } as unknown as Manager;
}

/** The function of an operation: it takes the parameters besides the project, and then the input. */
function functionOf(
  send: Send,
  operation: Operation,
  project: readonly string[],
): (...args: readonly unknown[]) => Promise<unknown> {
  const { method, path, parameters, input, output } = operation;
  const route: Route = {
    method,
    path,
    input: input !== null,
    pages: false,
    whole: isList(output),
    timeoutMs: TIMEOUT_MS,
  };
  const maxRetries = method === 'POST' ? { maxRetries: REPEATS_OF_AN_ACT } : {};
  return async (...args) => {
    const named = [...project, ...args];
    const filled = parameters.reduce(
      (rest, name, place) => rest.replace(`{${name}}`, pathSegment(name, named[place])),
      path,
    );
    const given = input === null ? undefined : (named[parameters.length] as object | undefined);
    const answer = await send({ route, path: filled, input: given ?? bodyOf(route) }, maxRetries);
    return output instanceof z.ZodVoid ? undefined : answer;
  };
}

/** What a POST with an input sends when its caller left the input out. */
function bodyOf({ method, input }: Route): object | undefined {
  return method === 'POST' && input ? {} : undefined;
}

function isList(output: z.ZodType): boolean {
  const inner = output instanceof z.ZodReadonly ? output.unwrap() : output;
  return inner instanceof z.ZodArray;
}
