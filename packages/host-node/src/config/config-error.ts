/** Thrown when the configuration cannot be used. The message has one sentence for each problem to fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
