/** What `verifyWebhook` reads of a fetch `Request`. Its body must not have been read before. */
export interface FetchWebhook {
  readonly headers: { get(name: string): string | null };
  readonly bodyUsed: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A webhook whose body was read already, as in Node's `http`, Express and Fastify. */
export interface RawWebhook {
  /** A fetch `Headers` object, or Node's `request.headers`. */
  readonly headers:
    { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, before any parsing: the signature covers its bytes. */
  readonly body: string | Uint8Array;
}

/** The value of a header, whatever the case of its name; null when it is absent or empty. */
export function headerOf({ headers }: FetchWebhook | RawWebhook, name: string): string | null {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof value === 'string' && value !== '' ? value : null;
}

function isFetchHeaders(headers: RawWebhook['headers']): headers is FetchWebhook['headers'] {
  return typeof headers['get' as keyof typeof headers] === 'function';
}

/** The bytes or the text that was signed. */
export async function rawBody(request: FetchWebhook | RawWebhook): Promise<string | Uint8Array> {
  if ('arrayBuffer' in request) {
    if (!request.bodyUsed) return new Uint8Array(await request.arrayBuffer());
    throw new TypeError(
      'The body of the request was read before. Verify first, or pass { headers, body } with the raw body.',
    );
  }
  const body: unknown = request.body;
  if (typeof body === 'string') return body;
  // Not instanceof: test runners that give each test file its own globals would make it false for Node's buffers.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError(
    'Expected the raw body, a string or bytes. If a JSON parser of your framework runs first, take the body before it.',
  );
}
