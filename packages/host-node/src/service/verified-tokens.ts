import { createHttpTokens, readTokenList } from '@subrail/adapters/web';
import type { Logger, Tokens, VerifiedToken } from '@subrail/core/ports';
import type { Network } from '@subrail/core/schemas';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../config/config-error.js';
import type { Config } from '../config/read-config.js';

/**
 * The verified tokens that are listed: by the configuration, and the token of the demo plan on a local chain.
 * @throws ConfigError when the list is a file that cannot be read
 */
export function verifiedTokens(
  { tokens, network }: Pick<Config, 'tokens' | 'network'>,
  demoToken: VerifiedToken | null,
  logger: Logger,
): Tokens {
  const local = demoToken === null ? [] : [demoToken];
  if (tokens?.kind === 'url') return createHttpTokens({ url: tokens.url, network, own: local, logger });
  const list = [...local, ...(tokens === null ? [] : readListFile(tokens.path, network))];
  return { list: () => Promise.resolve(list) };
}

function readListFile(path: string, network: Network): readonly VerifiedToken[] {
  try {
    return readTokenList(readFileSync(path, 'utf8'), network);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`tokens is the file ${path}, which cannot be used: ${why}`]);
  }
}
