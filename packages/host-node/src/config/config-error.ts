/** The configuration cannot be used. One sentence for each thing a person has to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly sentences: readonly string[]) {
    super(sentences.join('\n'));
  }
}
