/**
 * Thrown by an adapter when what it stands for cannot serve now and may soon: a database that does not answer, a
 * queue that is full. The fetch handler answers `unavailable`, which a client may retry; any other exception is a
 * fault and answers `internal_error`.
 */
export class Unavailable extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'Unavailable';
  }
}
