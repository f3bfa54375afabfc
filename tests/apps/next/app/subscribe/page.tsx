import { EmbeddedCheckout } from '@subrail/browser/react';

export default function SubscribePage() {
  return <EmbeddedCheckout url="/api/billing" />;
}
