import type { RpcTransport } from '@solana/kit';
import type { Logger } from '@subrail/core';
import type { Localnet } from '@subrail/localnet';

/** Keeps a chain's file up to date. */
export interface ChainSaver {
  /** Resolves when every change made to the chain so far is in the file; rejects when it cannot be written. */
  kept(): Promise<void>;
  /** Follows no more changes. */
  stop(): void;
}

/**
 * Saves the chain after every change. Changes that come while a save runs share the next one, so a busy chain is saved
 * as often as the disk allows and no oftener.
 */
export function saveOnChange(
  chain: Pick<Localnet, 'onChange' | 'save'>,
  file: string,
  logger: Logger,
): ChainSaver {
  let changes = 0;
  let keptChanges = 0;
  let saving: Promise<void> | null = null;

  async function save(): Promise<void> {
    const included = changes;
    await chain.save(file);
    keptChanges = included;
  }

  async function kept(): Promise<void> {
    const asked = changes;
    while (keptChanges < asked) {
      saving ??= save().finally(() => {
        saving = null;
      });
      await saving;
    }
  }

  const stop = chain.onChange(() => {
    changes += 1;
    kept().catch((error: unknown) => {
      logger.error({ err: error, file }, 'the local chain could not be saved');
    });
  });
  return { kept, stop };
}

/**
 * Lets no answer of the chain out before what it tells is in the file. So whatever the service writes into its database
 * because of an answer, the chain still knows after a kill: of the two the chain is never the older one.
 */
export function answerOnceSaved(transport: RpcTransport, keeper: ChainSaver): RpcTransport {
  return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const answer = await transport<Response>(request);
    await keeper.kept();
    return answer;
  };
}
