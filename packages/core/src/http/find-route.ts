import type { Route } from './route.js';

export interface Found {
  readonly route: Route;
  /** What stands in the path's variable, percent-decoded; empty on a route without. */
  readonly named: string;
}

export type FindRoute = (method: string, path: string) => Found | null;

/** Finds the route of a method and a path as it stands in the address, from `/v1` on. */
export function routeFinder(routes: readonly Route[]): FindRoute {
  const patterns = routes.map((route) => ({ route, segments: route.path.split('/') }));
  return (method, path) => {
    const verb = method === 'HEAD' ? 'GET' : method;
    const segments = path.split('/');
    for (const pattern of patterns) {
      if (pattern.route.method !== verb) continue;
      const named = match(pattern.segments, segments);
      if (named !== null) return { route: pattern.route, named };
    }
    return null;
  };
}

function match(pattern: readonly string[], segments: readonly string[]): string | null {
  if (pattern.length !== segments.length) return null;
  let named = '';
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith('{')) {
      const decoded = decode(segment);
      if (decoded === null || decoded === '') return null;
      named = decoded;
    } else if (expected !== segment) return null;
  }
  return named;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
