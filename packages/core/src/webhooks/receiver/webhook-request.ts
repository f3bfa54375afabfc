/** The part of a fetch `Request` that `verifyWebhook` reads. Its body must not have been read before. */
export interface FetchWebhook {
  readonly headers: { get(name: string): string | null };
  readonly bodyUsed: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The value of a header, or a list of its values, each also as an object, as CloudFront has them. */
type HeaderValue = string | readonly (string | { readonly value: string })[] | undefined;

/** A webhook whose body was read already, as in Node's `http`, Express and Fastify. */
export interface RawWebhook {
  /**
   * A fetch `Headers` object, Node's `request.headers`, `headersDistinct` or `rawHeaders`, or pairs of names
   * and values. Names in any case.
   */
  readonly headers:
    | { get(name: string): string | null | undefined }
    | Readonly<Record<string, HeaderValue>>
    | Iterable<readonly [name: string, value: HeaderValue]>
    | readonly string[];
  /** The raw body, before any parsing: the signature covers its bytes. */
  readonly body: string | Uint8Array | ArrayBuffer;
}

/** Looks up headers, whatever the case of their names. Finds null when one is absent, empty or repeated. */
export function headersOf({ headers }: FetchWebhook | RawWebhook): (name: string) => string | null {
  const given: unknown = headers;
  if (!isObject(given)) {
    throw new TypeError(
      'Expected the headers of the request, found nothing. Pass the request of fetch, or { headers, body }.',
    );
  }
  if ('then' in given) throw new TypeError('Expected the headers of the request, found a promise: await it.');
  const readable: { readonly get?: (name: string) => unknown } = given;
  const pairs = pairsOf(given);
  return (name) => {
    const got = typeof readable.get === 'function' ? readable.get(name) : null;
    if (typeof got === 'string') return got === '' ? null : got;
    const values = pairs.filter(([key]) => String(key).toLowerCase() === name).flatMap(([, value]) => value);
    const [value] = values.map((one) => (isObject(one) ? one['value'] : one));
    return values.length === 1 && typeof value === 'string' && value !== '' ? value : null;
  };
}

/** The names and values of headers, in whichever way they are listed. */
function pairsOf(headers: Readonly<Record<PropertyKey, unknown>>): readonly (readonly unknown[])[] {
  if (!(Symbol.iterator in headers)) return Object.entries(headers);
  const items = [...(headers as unknown as Iterable<unknown>)];
  return typeof items[0] === 'string'
    ? items.flatMap((name, at) => (at % 2 === 0 ? [[name, items[at + 1]]] : []))
    : items.filter((pair) => Array.isArray(pair));
}

function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null;
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
  // Not instanceof: test runners with globals for each test file would make it false for Node's buffers.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  throw new TypeError(
    'Expected the raw body, a string or bytes. If a JSON parser of your framework runs first, take the body before it.',
  );
}
