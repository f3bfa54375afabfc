import type { Operation } from '../operations/operation.js';

/** The operation that a request calls, and the parameters of its path. */
export interface MatchedRoute<Served extends Operation> {
  readonly operation: Served;
  /** By name, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the operation for a method and a percent-encoded path below the base path. */
export type FindRoute<Served extends Operation> = (
  method: string,
  path: string,
) => MatchedRoute<Served> | null;

/** Makes the function that finds an operation by method and path. */
export function routeFinder<Served extends Operation>(operations: readonly Served[]): FindRoute<Served> {
  const patterns = operations.map((operation) => ({ operation, expected: operation.path.split('/') }));
  return (method, path) => {
    const verb = method === 'HEAD' ? 'GET' : method;
    const segments = path.split('/');
    for (const { operation, expected } of patterns) {
      if (operation.method !== verb) continue;
      const parameters = match(expected, segments);
      if (parameters !== null) return { operation, parameters };
    }
    return null;
  };
}

function match(expected: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (expected.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, pattern] of expected.entries()) {
    const segment = segments[index] ?? '';
    if (pattern.startsWith('{')) {
      const value = decode(segment);
      if (value === null || value === '') return null;
      parameters[pattern.slice(1, -1)] = value;
    } else if (pattern !== segment) return null;
  }
  return parameters;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * Makes the function that removes the base path from a path: `/billing/v1/...` becomes `/v1/...`, and a path
 * outside of it null. Throws a TypeError for a base path with which no URL's path can begin.
 */
export function belowBasePath(basePath = ''): (path: string) => string | null {
  const normalised = new URL(`http://localhost${basePath}`).pathname;
  if (!/^(\/[^/?#]+)*$/.test(basePath) || normalised !== (basePath || '/')) {
    throw new TypeError(
      `basePath must be empty or begin with a slash and not end with one, and be percent-encoded as in a URL; it is ${JSON.stringify(basePath)}`,
    );
  }
  return (path) => (path.startsWith(basePath) ? path.slice(basePath.length) : null);
}
