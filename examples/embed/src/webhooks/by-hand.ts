import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a webhook is valid at an instant. */
export function isValidWebhook(headers: Headers, body: string, secret: string, now: Date): boolean {
  const [id, sentAt] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest();
  // During a rotation of the secret there are two signatures: one valid signature is enough.
  const valid = (headers.get('webhook-signature') ?? '').split(' ').some((entry) => {
    const signature = Buffer.from(entry.replace(/^v1,/, ''), 'base64');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  return valid && Math.abs(now.getTime() / 1000 - Number(sentAt)) <= 300;
}
