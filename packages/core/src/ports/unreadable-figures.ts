/**
 * The error a store throws when figures cannot be read, because a row is damaged or a newer release wrote it.
 * A report without them would be wrong, and a rebuild of their day replaces them.
 */
export class UnreadableFigures extends Error {
  /** @param day the first instant of the day of the figures */
  constructor(
    readonly day: Date,
    options?: { readonly cause: unknown },
  ) {
    const date = day.toISOString().slice(0, 10);
    super(
      `The figures of ${date} cannot be read. "subrail rebuild-figures --from ${date}" counts them anew.`,
      options,
    );
    this.name = 'UnreadableFigures';
  }
}
