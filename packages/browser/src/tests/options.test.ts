import { expect, expectTypeOf, it } from 'vitest';
import { createCheckout } from '../checkout.js';
import type { CheckoutOptions, PortalOptions } from '../options.js';
import { createPortal } from '../portal.js';

it.each([
  [{}, 'none'],
  [{ session: 'chs_1', url: '/billing' }, 'session and url'],
  [{ session: null, link: undefined }, 'none'],
  [{ chain: 'solana:mainnet' }, 'chain'],
])('a checkout refuses the options %j', (given, found) => {
  expect(() => createCheckout(given as never)).toThrow(
    `Expected exactly one of the options session, link, url, and found ${found}.`,
  );
});

it('a portal refuses two options that open it', () => {
  expect(() => createPortal({ url: '/billing', chain: 'solana:mainnet' } as never)).toThrow(
    'Expected exactly one of the options session, link, url, chain, and found url and chain.',
  );
});

it('types take exactly one of what opens a machine, known or not', () => {
  interface One {
    readonly session: string | undefined;
  }
  interface Two {
    readonly session: string;
    readonly url: string;
  }
  interface Chain {
    readonly chain: 'solana:mainnet';
  }
  expectTypeOf<One>().toExtend<CheckoutOptions>();
  expectTypeOf<One>().toExtend<PortalOptions>();
  expectTypeOf<Chain>().toExtend<PortalOptions>();
  expectTypeOf<Two>().not.toExtend<CheckoutOptions>();
  expectTypeOf<Two>().not.toExtend<PortalOptions>();
  expectTypeOf<object>().not.toExtend<CheckoutOptions>();
  expectTypeOf<object>().not.toExtend<PortalOptions>();
  expectTypeOf<Chain>().not.toExtend<CheckoutOptions>();
});
