import { resolve } from 'node:path';
import { isSolanaError } from '@solana/kit';
import { fetchProgram, NotAProgram, saveProgram, type FetchedProgram } from '@subrail/localnet';
import { CommandFailed } from './errors.js';

/**
 * `subrail localnet fetch-program`: writes the Subscriptions program deployed on the RPC server's cluster to
 * a file.
 * @throws CommandFailed when the server is down or has no such program, or when the file cannot be written
 */
export async function fetchProgramTo(rpcUrl: string, file: string): Promise<void> {
  const program = await fetchFrom(rpcUrl);
  const path = resolve(file);
  await saveProgram(program, path).catch((cause: unknown) => {
    throw new CommandFailed(`The program could not be written to ${path}: ${reasonOf(cause)}.`, { cause });
  });
  process.stdout.write(
    `Wrote ${path}: ${program.elf.length} bytes, deployed at slot ${program.deployedSlot}.\nsha256 ${program.sha256}\n`,
  );
}

async function fetchFrom(rpcUrl: string): Promise<FetchedProgram> {
  try {
    return await fetchProgram(rpcUrl);
  } catch (cause) {
    if (cause instanceof NotAProgram) throw new CommandFailed(cause.message, { cause });
    if (!isSolanaError(cause) && !(cause instanceof TypeError)) throw cause;
    const { origin } = new URL(rpcUrl);
    throw new CommandFailed(`The program could not be read from ${origin}: ${reasonOf(cause)}`, { cause });
  }
}

/** Why something failed. The message of a failed request only says that it did; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
