/** The configuration cannot be used. The message has one sentence for each problem a person has to fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
