'use client';

import '@subrail/browser/elements';
import { useEffect, useState } from 'react';

export default function CheckoutPage() {
  const [isPaid, setPaid] = useState(false);
  useEffect(() => {
    const welcome = () => setPaid(true);
    document.addEventListener('subrail-complete', welcome);
    return () => document.removeEventListener('subrail-complete', welcome);
  }, []);
  return (
    <>
      <subrail-checkout url="/api/billing" />
      {isPaid && <p>Welcome!</p>}
    </>
  );
}
