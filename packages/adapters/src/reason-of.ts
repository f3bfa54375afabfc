/** Why something failed, for a person. Never empty. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Errors of `fetch` have the reason in their cause.
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error.message !== '') return error.message;
  // The joined failures of several addresses have a code but no message.
  return 'code' in error ? String(error.code) : error.name;
}
