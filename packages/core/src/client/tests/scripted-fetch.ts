import { createRefuse } from '../../http/handler.js';
import type { ErrorCode } from '../../contract/errors.js';
import { SeededRandom } from '../../testing/seeded-random.js';

/** A request as it was sent. */
interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: string;
}

/** An answer, or the error that `fetch` throws in place of one. */
export type Scripted = Response | Error;

/** A `fetch` that gives the answers of a script, one for each request, and keeps what was sent. */
export function scriptedFetch(...script: readonly Scripted[]) {
  const left = [...script];
  const sent: SentRequest[] = [];
  async function fetch(request: Request): Promise<Response> {
    const bytes = Buffer.from(await request.arrayBuffer()).toString('hex');
    sent.push({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      bytes,
    });
    const next = left.shift();
    if (next === undefined) throw new Error('The script has no answer left.');
    if (next instanceof Error) throw next;
    return next;
  }
  return { fetch, sent, left };
}

const refuse = createRefuse(new SeededRandom(1));

/** The service's own refusal with a code. */
export function refusal(code: ErrorCode): Response {
  const request = {
    method: 'GET',
    path: '/v1/plans',
    search: '',
    ip: '',
    body: noBody(),
    header: () => null,
  };
  const { status, headers, body } = refuse(request, code);
  return new Response(body, { status, headers });
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

/** A success with a body. */
export const success = (body: object): Response => Response.json(body);

/** The page of a proxy in front of the service. */
export const proxyPage = (status: number, headers: Record<string, string> = {}): Response =>
  new Response('<h1>Bad gateway</h1>', { status, headers: { 'content-type': 'text/html', ...headers } });

/** The error of `fetch` when the network fails. */
export const networkFailure = (): Error => new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
