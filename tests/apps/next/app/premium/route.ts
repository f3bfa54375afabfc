import { billing } from '@/billing';

export const dynamic = 'force-dynamic';

export async function GET(request: Request): Promise<Response> {
  const customer = new URL(request.url).searchParams.get('customer') ?? '';
  const shop = (await billing()).project(process.env.SUBRAIL_PROJECT ?? '');
  const { access } = await shop.access.check({ external_id: customer, plan: 'pro' });
  return access ? new Response('premium') : new Response('pay first', { status: 402 });
}
