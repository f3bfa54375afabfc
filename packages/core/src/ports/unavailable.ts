/**
 * The error an adapter throws when its resource cannot serve now and may soon: a database that does not
 * respond, a queue that is full. The fetch handler answers it with `unavailable`, which a client may retry.
 * Any other exception is a fault, which the handler answers with `internal_error`.
 */
export class Unavailable extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'Unavailable';
  }
}
