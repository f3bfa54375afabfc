import type { Billing, ProjectBilling } from '../billing.js';
import { functionsOf } from './functions.js';
import type { CallOptions, ClientOptions } from './options.js';
import type { Route } from './route.js';
import { CONTRACT_ROUTES, PROJECT_ROUTES, SERVICE_ROUTES, SESSION_ROUTES } from './routes.js';
import { createSend } from './send.js';

/**
 * The functions that manage a service: those of a `Billing`, or the same over HTTP. A program that takes a
 * `Manager` runs with both.
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

/** The routes of one project: those of management, and those of an API key below the project's own path. */
const OF_PROJECT: readonly Route[] = [
  ...PROJECT_ROUTES,
  ...[...CONTRACT_ROUTES, ...SESSION_ROUTES].map((route) => ({
    ...route,
    path: `/manage/v1/projects/{project}${route.path}`,
  })),
];

/** Reads are repeated. A change is sent once, because it may have its effect although the answer is lost. */
const optionsOf = ({ method }: Route): CallOptions => ({
  timeoutMs: 100_000,
  ...(method === 'POST' ? { maxRetries: 0 } : {}),
});

/**
 * Creates the functions of a service over its management routes. Nothing is sent before a function is called.
 * A failed call throws a `CallError`, a refused one an `ApiError`. Reads are repeated like a client's calls,
 * changes are not. Throws a TypeError for an option with which no call can be made.
 *
 * @example
 * const manager = createManager({ url: 'https://billing.example.com', key });
 * for (const { id, name } of await manager.projects.list()) console.log(id, name);
 */
export function createManager(options: ManagerOptions): Manager {
  const send = createSend(options);
  return {
    ...functionsOf(send, SERVICE_ROUTES, [], optionsOf),
    project(id: string) {
      const { projects, ...groups } = functionsOf(send, OF_PROJECT, [id], optionsOf);
      return { ...groups, ...projects };
    },
    // The routes are made from the operations, which have the functions of Billing.
  } as unknown as Manager;
}
