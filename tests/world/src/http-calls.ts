import { ServiceError, type Billing, type ErrorCode } from '@subrail/core';

/** An answer of the service, with its body parsed. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Calls a route under `/v1` with a project's key. */
export type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<ApiAnswer>;

/** Calls the service over its fetch handler, as a client with this key. */
export function createCall(billing: Billing, key: string): Call {
  return async (method, path, body) => {
    const response = await billing.handler(
      new Request(`http://subrail.test/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
}

/** The code with which a function of the service refuses; null when it does not. */
export async function refusal(call: Promise<unknown>): Promise<ErrorCode | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
