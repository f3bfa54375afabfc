/** Thrown when a server cannot listen. The message says why, and which settings choose another address. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** The settings that choose an address, such as `SUBRAIL_PORT`. */
export interface ListenSettings {
  /** Null: the host is fixed. */
  readonly host: string | null;
  readonly port: string;
}

/** Calls `listen`, and throws a ListenError with the settings when the address cannot be used. */
export async function explainListenError<T>(settings: ListenSettings, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const sentence = sentenceOf(cause as NodeListenError, settings);
    throw sentence === null ? cause : new ListenError(sentence, { cause });
  }
}

/** The fields of the errors with which Node fails to listen. */
interface NodeListenError {
  readonly code?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly port?: unknown;
}

function sentenceOf(
  { code, address, hostname, port }: NodeListenError,
  settings: ListenSettings,
): string | null {
  const otherHost = settings.host === null ? '' : ` Choose another address with ${settings.host}.`;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${String(port)} of ${String(address)} is already in use. Stop the other program, or choose another port with ${settings.port}.`;
    case 'EACCES':
      return `This user may not listen on port ${String(port)} of ${String(address)}. Choose another port with ${settings.port}.`;
    case 'EADDRNOTAVAIL':
      return `${String(address)} is not an address of this machine, so nothing can listen on it.${otherHost}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${String(hostname)} could not be resolved to an address of this machine.${otherHost}`;
    default:
      return null;
  }
}
