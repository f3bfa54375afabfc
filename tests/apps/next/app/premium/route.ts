import { mayRead } from '@/lib/billing';

export const dynamic = 'force-dynamic';

export async function GET(request: Request): Promise<Response> {
  const customer = new URL(request.url).searchParams.get('customer') ?? '';
  return (await mayRead(customer)) ? new Response('premium') : new Response('pay first', { status: 402 });
}
