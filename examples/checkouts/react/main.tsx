import '@subrail/browser/elements';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function CheckoutPage() {
  const [isPaid, setPaid] = useState(false);
  return (
    <>
      <subrail-checkout url="/api/billing" onsubrail-complete={() => setPaid(true)} />
      {isPaid && <p>Welcome!</p>}
    </>
  );
}

const app = document.querySelector('#app');
if (app !== null) createRoot(app).render(<CheckoutPage />);
