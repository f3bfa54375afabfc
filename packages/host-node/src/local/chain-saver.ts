import type { RpcTransport } from '@solana/kit';
import type { Logger } from '@subrail/core/ports';
import type { Localnet } from '@subrail/localnet';

export interface ChainSaver {
  /** Resolves once every change so far is in the file. Rejects when the file cannot be written. */
  saved(): Promise<void>;
  /** Stops saving. Once it resolves, another process may use the file. */
  stop(): Promise<void>;
}

/** Saves the chain after every change. The changes during a save are written by the next one. */
export function saveOnChange(
  chain: Pick<Localnet, 'onChange' | 'save'>,
  file: string,
  logger: Logger,
): ChainSaver {
  let changes = 0;
  let savedChanges = 0;
  let saving: Promise<void> | null = null;

  async function save(): Promise<void> {
    const included = changes;
    await chain.save(file);
    savedChanges = included;
  }

  async function saved(): Promise<void> {
    const target = changes;
    while (savedChanges < target) {
      saving ??= save().finally(() => {
        saving = null;
      });
      await saving;
    }
  }

  const stopListening = chain.onChange(() => {
    changes += 1;
    saved().catch((error: unknown) => {
      logger.error({ err: error, file }, 'the local chain could not be saved');
    });
  });
  return {
    saved,
    async stop() {
      stopListening();
      // A failure was logged.
      await saved().catch(() => undefined);
    },
  };
}

/**
 * Delays every answer of the chain until its changes are in the file. The service writes to its database
 * because of such answers, so after a kill the chain's file is never older than the database.
 */
export function answerOnceSaved(transport: RpcTransport, saver: ChainSaver): RpcTransport {
  return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const answer = await transport<Response>(request);
    await saver.saved();
    return answer;
  };
}
