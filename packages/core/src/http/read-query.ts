import { ServiceError } from '../contract/errors.js';
import { quoted } from '../contract/validation-messages.js';

/** A query as an object of its parameters, each given once (requests#duplicate-and-empty-query-parameters). */
export function readQuery(search: string): Record<string, string> {
  refuseBrokenEncoding(search);
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

/** URLSearchParams would put other letters in the place of what does not decode, and another customer would be asked for. */
function refuseBrokenEncoding(search: string): void {
  if (!search.includes('%')) return;
  try {
    decodeURIComponent(search);
  } catch (cause) {
    throw new ServiceError('invalid_request', {
      message: 'The query must be percent-encoded UTF-8.',
      cause,
    });
  }
}
