import { verifyWebhook, WebhookError } from '@subrail/core/webhooks';
import { APPLY, KEEP } from './access-records.js';

/** What is used of `D1Database` of `@cloudflare/workers-types`. A batch is one transaction. */
interface Database {
  prepare(sql: string): { bind(...values: readonly unknown[]): object };
  batch(statements: readonly object[]): Promise<unknown>;
}

export default {
  async fetch(
    request: Request,
    env: { readonly WEBHOOK_SECRET: string; readonly DB: Database },
  ): Promise<Response> {
    try {
      const { event } = await verifyWebhook(request, env.WEBHOOK_SECRET);
      const { id, external_id, plan, access } = event.data;
      if (event.sequence !== undefined) {
        await env.DB.batch([
          env.DB.prepare(KEEP).bind(event.id, JSON.stringify(event)),
          env.DB.prepare(APPLY).bind(id, external_id, plan, Number(access), event.sequence),
        ]);
      }
      return new Response(null, { status: 204 });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return new Response(null, { status: error.status });
    }
  },
};
