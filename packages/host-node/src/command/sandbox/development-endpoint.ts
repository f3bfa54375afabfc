import type { ProjectBilling } from '@subrail/core';
import { webhookTargets } from '@subrail/core/webhooks';
import type { EventType } from '@subrail/core/schemas';
import { CommandFailed, isRefusal } from '../errors.js';

/** An endpoint for the time of a command. */
export interface DevelopmentEndpoint {
  readonly id: string;
  /** Null for an endpoint that was there before: a secret is shown only at its creation. */
  readonly secret: string | null;
  /** Removes the endpoint, unless it was there before. */
  remove(): Promise<void>;
}

const PUBLIC_ONLY = webhookTargets([]);

/** Whether only a service in development sends to an address. */
export function isInDevelopment(url: string): boolean {
  return PUBLIC_ONLY.refusal(new URL(url)) !== null;
}

/**
 * Makes the endpoint at an address of this machine, or takes the one that is there.
 * @throws CommandFailed when the service allows no private targets
 */
export async function developmentEndpoint(
  { endpoints }: ProjectBilling,
  url: string,
  types: EventType[],
): Promise<DevelopmentEndpoint> {
  const existing = (await endpoints.list()).find((endpoint) => endpoint.url === url);
  if (existing !== undefined) {
    return { id: existing.id, secret: null, remove: () => Promise.resolve() };
  }
  const { id, secret } = await endpoints.create({ url, types }).catch((error: unknown) => {
    throw refusesPrivate(error)
      ? new CommandFailed(
          'The service sends no webhooks to private addresses, so it is not in development, and nothing was changed. Its setting private_targets allows them.',
          { cause: error },
        )
      : error;
  });
  return {
    id,
    secret,
    async remove() {
      await endpoints.delete(id);
    },
  };
}

function refusesPrivate(error: unknown): boolean {
  return isRefusal(error) && error.code === 'invalid_request' && error.message.includes('"url"');
}
