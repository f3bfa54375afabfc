import { receive } from '@/lib/billing';

export async function POST(request: Request): Promise<Response> {
  return new Response(null, await receive(request));
}
