/** Calls the routes under `/v1` over HTTP, as an integrator's server does. */
export interface Api {
  get(path: string): Promise<unknown>;
  post(path: string, body?: object): Promise<unknown>;
}

/**
 * Calls the service at `url` with a project's API key. A call that is refused throws an error with the answer's text.
 */
export function createApi(url: string, apiKey: string): Api {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}: ${text}`);
    return JSON.parse(text) as unknown;
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  };
}
