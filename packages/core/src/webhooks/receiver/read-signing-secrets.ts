import { secretKey } from '../signing.js';

/** How many bytes the key of a secret has by Standard Webhooks. A shorter one was cut. */
const KEY_BYTES = { min: 24, max: 64 };

/**
 * Reads signing secrets from an environment, a file or a vault: one text, several with commas between, or a
 * list. White space and quotes around a secret are dropped, and so are empty entries beside one.
 *
 * `verifyWebhook` reads secrets in the same way. Call this at the start of a receiver, so that a wrong secret
 * stops the start and not the deliveries, whose endpoint would be turned off.
 *
 * @throws TypeError that says what is wrong with a secret, and does not show it
 * @example
 * const secrets = readSigningSecrets(process.env['WEBHOOK_SECRET']);
 * const receive = async (request: Request) => (await verifyWebhook(request, secrets)).event;
 */
export function readSigningSecrets(secrets: string | readonly string[] | undefined): readonly string[] {
  return readSecrets(secrets).map(({ secret }) => secret);
}

/** Returns the keys of the secrets that were given, as `readSigningSecrets` reads them. */
export function signingKeysOf(secrets: string | readonly string[]): readonly Uint8Array[] {
  return readSecrets(secrets).map(({ key }) => key);
}

function readSecrets(given: unknown): readonly { readonly secret: string; readonly key: Uint8Array }[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const entries = list.flatMap((entry) => (typeof entry === 'string' ? entry.split(',').map(bare) : [entry]));
  const secrets = entries.filter((entry) => entry !== '');
  if (secrets.length === 0) {
    throw new TypeError(
      "No signing secret was given. Pass the endpoint's secret, or the new and the old one.",
    );
  }
  return secrets.map((secret) => {
    const key = typeof secret === 'string' ? secretKey(secret) : null;
    if (typeof secret === 'string' && key !== null && isLongEnough(key)) return { secret, key };
    throw new TypeError(
      `Expected a signing secret of the form whsec_<base64>, found ${describe(secret)}. Pass it as it was shown when the endpoint was made.`,
    );
  });
}

/** Drops white space, invisible characters and quotes around a text. A secret has none of them. */
const bare = (text: string) => text.replace(/^[\s\u200b-\u200d\u2060"'`]+|[\s\u200b-\u200d\u2060"'`]+$/g, '');

const isLongEnough = ({ length }: Uint8Array) => length >= KEY_BYTES.min && length <= KEY_BYTES.max;

/** Describes a value that is no secret. Of a text, it shows only a part that no secret has. */
function describe(value: unknown): string {
  if (value === null) return 'null';
  if (ArrayBuffer.isView(value)) return 'bytes';
  if (typeof value !== 'string') return typeof value;
  const prefix = /^(?!whsec_)[A-Za-z]{2,8}_/.exec(value);
  if (prefix !== null) return `a text that begins with ${prefix[0]}`;
  if (!value.startsWith('whsec_')) return 'a text that does not begin with whsec_';
  if (/\s/.test(value)) return 'white space inside it';
  const foreign = /[^A-Za-z0-9+/=]/.exec(value.slice('whsec_'.length));
  if (foreign !== null) return `the character ${JSON.stringify(foreign[0])}, which base64 does not have`;
  const key = secretKey(value);
  if (key === null) return 'base64 that ends too early';
  return `a key of ${key.length} bytes, where ${KEY_BYTES.min} to ${KEY_BYTES.max} are expected`;
}
