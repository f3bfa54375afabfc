import { billing } from '@/lib/billing';

export const dynamic = 'force-dynamic';
export const GET = billing.handler;
export const POST = billing.handler;
