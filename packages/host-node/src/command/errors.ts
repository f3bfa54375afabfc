import { isServiceError, type ServiceError } from '@subrail/core';
import { isApiError, type ApiError } from '@subrail/core/client';
import { START } from './sandbox/command-name.js';

/** The arguments of a command are invalid. The message is for the person who typed them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command cannot do what was asked of it. The message says why. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** Why a command that needs the local chain fails while no host runs. */
export const NO_HOST = `This needs the local chain, which is in the host, and no host runs. Start one with "${START}", and run this again.`;

/** Whether the service refused a call, in this process or over HTTP. */
export function isRefusal(error: unknown): error is ServiceError | ApiError {
  return isServiceError(error) || isApiError(error);
}
