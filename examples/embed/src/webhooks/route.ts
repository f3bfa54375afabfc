import { receive } from './receive.js';
import { receiver } from './shop.js';

export async function POST(request: Request): Promise<Response> {
  return new Response(null, { status: await receive(request, receiver) });
}
