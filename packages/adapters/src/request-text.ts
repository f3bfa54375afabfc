export interface TextRequest {
  /** The source in errors, such as `price source`. */
  readonly source: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The time for the request and its answer, in milliseconds. */
  readonly timeoutMs: number;
  /** The most bytes of an answer that are read. */
  readonly mostBytes: number;
}

/**
 * Requests a JSON text over HTTP. It follows no redirect, and closes the connection after the timeout or a
 * refused answer.
 * @throws Error when the answer is no success, is too long or does not come in time
 */
export async function requestText(url: string, { source, headers, timeoutMs, mostBytes }: TextRequest) {
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = new AbortController();
  const timedOut = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => {
      reject(new Error(`The ${source} did not answer within ${timeoutMs} ms.`));
    });
  });
  const request = async () => {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: stop.signal,
    });
    if (!response.ok) throw new Error(`The ${source} answered with the status ${response.status}.`);
    return readText(response, { source, mostBytes });
  };
  try {
    return await Promise.race([request(), timedOut]);
  } finally {
    stop.abort();
  }
}

async function readText(
  response: Response,
  { source, mostBytes }: Pick<TextRequest, 'source' | 'mostBytes'>,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // `for await` of a stream does not exist everywhere, and the types of Node leave the chunks open.
  const body = response.body as ReadableStream<Uint8Array> | null;
  const reader = body?.getReader();
  for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
    bytes += chunk.value.byteLength;
    if (bytes > mostBytes) throw new Error(`The answer of the ${source} is longer than ${mostBytes} bytes.`);
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}
