import { EmbeddedCheckout } from '@subrail/browser/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function CheckoutPage() {
  const [isPaid, setPaid] = useState(false);
  return (
    <>
      <EmbeddedCheckout url="/api/billing" onComplete={() => setPaid(true)} />
      {isPaid && <p>Welcome!</p>}
    </>
  );
}

const app = document.querySelector('#app');
if (app !== null) createRoot(app).render(<CheckoutPage />);
