import { createHmac, timingSafeEqual } from 'node:crypto';

/** The three headers every delivery carries, and the raw body. */
export interface Delivered {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

const TOLERANCE_SECONDS = 300;

/**
 * What any receiver does before it believes a webhook (contract, Delivery): the time is near, and one of the listed
 * signatures is the HMAC-SHA256 of `id.timestamp.body` under the endpoint's secret.
 */
export function isGenuine({ id, timestamp, signature, body }: Delivered, secret: string, now: Date): boolean {
  const seconds = Number(timestamp);
  if (!Number.isInteger(seconds)) return false;
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signature.split(' ').some((listed) => {
    const [version, text = ''] = listed.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
