import { resolve } from 'node:path';
import { isSolanaError } from '@solana/kit';
import { fetchProgram, NotAProgram, saveProgram } from '@subrail/localnet';
import { UsageError } from './arguments.js';

/** `subrail localnet fetch-program`: writes the Subscriptions program deployed on the RPC server's cluster to a file. */
export async function fetchProgramTo(rpcUrl: string, file: string): Promise<void> {
  const program = await fetchProgram(rpcUrl).catch((error: unknown) => {
    if (error instanceof NotAProgram) throw new UsageError(error.message);
    if (isSolanaError(error) || error instanceof TypeError) {
      throw new UsageError(
        `The program could not be read from ${new URL(rpcUrl).origin}: ${reasonOf(error)}`,
      );
    }
    throw error;
  });
  const path = resolve(file);
  await saveProgram(program, path);
  process.stdout.write(
    `Wrote ${path}: ${program.elf.length} bytes, deployed at slot ${program.deployedSlot}.\nsha256 ${program.sha256}\n`,
  );
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
