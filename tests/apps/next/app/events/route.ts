import { events } from '@/lib/billing';

export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(events());
}
