import { events } from '@/webhooks';

export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(events());
}
