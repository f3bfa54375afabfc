import type { ContractOperation } from '../operations/operation.js';

/** The operation that a request calls, and the value of its path parameter. */
export interface Found {
  readonly operation: ContractOperation;
  /** Percent-decoded; null for a path without a parameter. */
  readonly parameter: string | null;
}

/** Finds the operation for a method and for a percent-encoded path that begins with `/v1`; null when there is none. */
export type FindRoute = (method: string, path: string) => Found | null;

/** Makes the function that finds an operation by method and path. */
export function routeFinder(operations: readonly ContractOperation[]): FindRoute {
  const patterns = operations.map((operation) => ({ operation, expected: operation.path.split('/') }));
  return (method, path) => {
    const verb = method === 'HEAD' ? 'GET' : method;
    const segments = path.split('/');
    for (const { operation, expected } of patterns) {
      if (operation.method !== verb) continue;
      const matched = match(expected, segments);
      if (matched !== null) return { operation, parameter: matched.parameter };
    }
    return null;
  };
}

function match(
  expected: readonly string[],
  segments: readonly string[],
): { readonly parameter: string | null } | null {
  if (expected.length !== segments.length) return null;
  let parameter: string | null = null;
  for (const [index, pattern] of expected.entries()) {
    const segment = segments[index] ?? '';
    if (pattern.startsWith('{')) {
      parameter = decode(segment);
      if (parameter === null || parameter === '') return null;
    } else if (pattern !== segment) return null;
  }
  return { parameter };
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * Makes the function that removes the handler's base path from a request's path: `/billing/v1/...` becomes `/v1/...`, and
 * a path outside of the base path becomes null. Throws a TypeError for a base path with which no URL's path can begin.
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
