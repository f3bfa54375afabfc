import { receive } from '@/webhooks';

export async function POST(request: Request): Promise<Response> {
  return new Response(null, await receive(request));
}
