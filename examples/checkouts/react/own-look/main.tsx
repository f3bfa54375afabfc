import { type CheckoutState, createCheckout } from '@subrail/browser';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** The state of a checkout; null before it began. */
function useCheckout(url: string): CheckoutState | null {
  const [state, setState] = useState<CheckoutState | null>(null);
  useEffect(() => {
    const checkout = createCheckout({ url });
    checkout.subscribe(() => setState(checkout.state));
    setState(checkout.state);
    return () => checkout.destroy();
  }, [url]);
  return state;
}

function CheckoutPage() {
  const state = useCheckout('/api/billing');
  const problem = state !== null && 'problem' in state ? state.problem : null;
  return (
    <>
      {problem && <p role="alert">{problem.sentence}</p>}
      {state?.name === 'choosing_wallet' &&
        state.wallets.map((wallet) => (
          <button key={wallet.name} onClick={() => state.connect(wallet)}>
            {wallet.name}
          </button>
        ))}
      {state?.name === 'review' && state.payable && (
        <button onClick={() => state.pay()}>Subscribe and pay</button>
      )}
      {state?.name === 'complete' && <p>Welcome!</p>}
    </>
  );
}

const app = document.querySelector('#app');
if (app !== null) createRoot(app).render(<CheckoutPage />);
