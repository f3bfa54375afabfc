/** Why something failed, for a person: never empty. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What `fetch` throws has the reason in its cause.
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error.message !== '') return error.message;
  // An error that joins the failures of several addresses has a code but no message.
  return 'code' in error ? String(error.code) : error.name;
}
