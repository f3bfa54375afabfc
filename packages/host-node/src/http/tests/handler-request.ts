import type { HandlerRequest } from '@subrail/core';

/** A request in plain values that has no header and no body. */
export function plainly(method: string, path: string): HandlerRequest {
  return {
    method,
    path,
    search: '',
    ip: '203.0.113.7',
    body: (async function* () {})(),
    header: () => null,
  };
}
