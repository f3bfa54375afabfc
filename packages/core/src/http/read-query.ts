import { ServiceError } from '../contract/errors.js';
import { quoted } from '../contract/sentence.js';

/** A query as an object of its parameters, each given once (D1.6). */
export function readQuery(search: string): Record<string, string> {
  const query = new Map<string, string>();
  new URLSearchParams(search).forEach((value, name) => {
    if (query.has(name)) {
      throw new ServiceError('invalid_request', {
        message: `The query must not give ${quoted(name)} more than once.`,
      });
    }
    query.set(name, value);
  });
  return Object.fromEntries(query);
}
