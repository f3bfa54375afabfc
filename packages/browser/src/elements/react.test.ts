import { expectTypeOf, it } from 'vitest';
import type { EmbeddedCheckoutProps, EmbeddedPortalProps } from './react.js';

interface Chain {
  readonly chain: 'solana:mainnet';
}
interface Two {
  readonly session: string;
  readonly url: string;
}

it('a component takes exactly one of what opens it, known or not', () => {
  expectTypeOf<{ readonly session: string | undefined }>().toExtend<EmbeddedCheckoutProps>();
  expectTypeOf<{ readonly url: null }>().toExtend<EmbeddedPortalProps>();
  expectTypeOf<Chain>().toExtend<EmbeddedPortalProps>();
  expectTypeOf<Chain & { readonly url: string }>().toExtend<EmbeddedPortalProps>();
  expectTypeOf<Chain>().not.toExtend<EmbeddedCheckoutProps>();
  expectTypeOf<Chain & { readonly url: string }>().toExtend<EmbeddedCheckoutProps>();
  expectTypeOf<Two>().not.toExtend<EmbeddedCheckoutProps>();
  expectTypeOf<Two>().not.toExtend<EmbeddedPortalProps>();
  expectTypeOf<object>().not.toExtend<EmbeddedCheckoutProps>();
  expectTypeOf<object>().not.toExtend<EmbeddedPortalProps>();
});

it('a component takes a language that the elements have, and no property that they lack', () => {
  const page = { url: '/billing', locale: 'de-AT' } as const;
  expectTypeOf(page).toExtend<EmbeddedPortalProps>();
  expectTypeOf<{ readonly url: string; readonly locale: 'fr' }>().not.toExtend<EmbeddedCheckoutProps>();
  // @ts-expect-error -- A typing error in a name.
  const typo: EmbeddedCheckoutProps = { url: '/billing', plna: 'pro' };
  expectTypeOf(typo).toExtend<EmbeddedCheckoutProps>();
});
