import { createClient } from '@subrail/core/client';
import { verifyWebhook, WebhookError, type WebhookEvent } from '@subrail/core/webhooks';
import { APPLY, KEEP, REPLACE } from './access-records.js';

/** What is used of `D1Database` of `@cloudflare/workers-types`. A batch is one transaction. */
interface Database {
  prepare(sql: string): { bind(...values: readonly unknown[]): object };
  batch(statements: readonly object[]): Promise<unknown>;
}

interface Env {
  /** The endpoint's secret, or several with commas between. */
  readonly WEBHOOK_SECRET: string;
  readonly BILLING_URL: string;
  readonly BILLING_API_KEY: string;
  readonly DB: Database;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    try {
      const { event } = await verifyWebhook(request, env.WEBHOOK_SECRET);
      // Someone tries the endpoint. The subscription in it does not exist.
      if (event.test !== true) await apply(event, env);
      return new Response(null, { status: 204 });
    } catch (error) {
      // What was not applied is answered with 500, and the service sends it again.
      if (!(error instanceof WebhookError)) throw error;
      return new Response(null, { status: error.status });
    }
  },
};

async function apply(
  event: WebhookEvent,
  { DB, BILLING_URL: url, BILLING_API_KEY: key }: Env,
): Promise<void> {
  const { sequence } = event;
  // An event without a place in the order may be older than what is known, so the service is asked.
  const { id, external_id, plan, access } =
    sequence === undefined
      ? await createClient({ url, key }).subscriptions.retrieve(event.data.id)
      : event.data;
  const values = [id, external_id, plan, Number(access)];
  await DB.batch([
    DB.prepare(KEEP).bind(event.id, JSON.stringify(event)),
    sequence === undefined
      ? DB.prepare(REPLACE).bind(...values)
      : DB.prepare(APPLY).bind(...values, sequence),
  ]);
}
