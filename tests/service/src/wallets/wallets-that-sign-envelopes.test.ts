import { type KeyPairSigner, getBase58Decoder, getBase64Decoder, signBytes } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { signMessage, signTransaction } from '@subrail/localnet';
import {
  type IssuedCheckout,
  PRICE,
  type SignedTerms,
  TEXT_WALLETS,
  type TestWorld,
  envelopeOf,
  envelopeOfDraft1,
  issueCheckout,
  openTestWorld,
  statusAndCode,
  storedSubscription,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let checkout: IssuedCheckout;

beforeEach(async () => {
  world = await openTestWorld();
  wallet = await world.wallet(10n * PRICE);
  checkout = await issueCheckout(world, wallet);
});

const submit = async (terms: SignedTerms) =>
  world.call('POST', `/subscriptions/${checkout.subscription.id}/submit`, {
    transaction: await signTransaction(wallet, checkout.transaction),
    ...terms,
  });

// terms#what-the-wallet-signs, terms#terms-signature-encoding, terms#signed-terms-are-kept
it.each(TEXT_WALLETS)(
  'a wallet that $name subscribes, and its agreement can be proven',
  async ({ signs }) => {
    const text = checkout.terms.message;
    const terms = await signs(wallet, text);
    expect(statusAndCode(await submit(terms))).toBe('201');

    const { id } = await storedSubscription(world, checkout.subscription.id);
    const kept = await world.store.findSignedTerms(id);
    expect(kept?.message).toBe(text);
    // The record is enough to verify: the signed bytes contain the text, and the signature fits them.
    const signedBytes = kept?.envelope == null ? Buffer.from(text) : Buffer.from(kept.envelope, 'base64');
    expect(signedBytes.includes(text)).toBe(true);
    const signature = await signBytes(wallet.keyPair.privateKey, Uint8Array.from(signedBytes));
    expect(kept?.signature).toBe(getBase58Decoder().decode(signature));
  },
);

// terms#terms-refusals-at-submit
describe('is no signature of the terms', () => {
  const base58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes);
  const base64 = (bytes: Uint8Array) => getBase64Decoder().decode(bytes);
  // A small buffer of Node may begin a larger one, all of which kit would take.
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const signed = (by: KeyPairSigner, bytes: Uint8Array) => signBytes(by.keyPair.privateKey, bytes);
  const envelope = (text: string, signers = [wallet.address], domain = 0) =>
    Uint8Array.from(envelopeOf(signers, text, 1, domain));

  it.each<[string, (text: string) => Promise<SignedTerms>]>([
    [
      'an envelope around another text',
      async (text) => {
        const message = envelope(`${text} `);
        return {
          terms_signature: base58(await signed(wallet, message)),
          terms_signed_message: base64(message),
        };
      },
    ],
    [
      'an envelope that another wallet signs too',
      async (text) => {
        const message = envelope(text, [wallet.address, world.owner.address]);
        return {
          terms_signature: base58(await signed(wallet, message)),
          terms_signed_message: base64(message),
        };
      },
    ],
    [
      'an envelope for another wallet',
      async (text) => {
        const message = envelope(text, [world.owner.address]);
        return {
          terms_signature: base58(await signed(wallet, message)),
          terms_signed_message: base64(message),
        };
      },
    ],
    [
      'an envelope with a domain that is not handed over',
      async (text) => ({ terms_signature: base58(await signed(wallet, envelope(text, undefined, 7))) }),
    ],
    [
      'an envelope with bytes behind it',
      async (text) => {
        const message = Uint8Array.of(...envelope(text), 0);
        return {
          terms_signature: base58(await signed(wallet, message)),
          terms_signed_message: base64(message),
        };
      },
    ],
    [
      'an envelope of version 1 with the length of another text',
      async (text) => {
        const message = envelopeOfDraft1(wallet.address, text);
        message[50] = (message[50] ?? 0) + 1;
        return { terms_signature: base64(Uint8Array.of(1, ...(await signed(wallet, message)), ...message)) };
      },
    ],
    [
      'a message of which the terms are a part',
      async (text) => {
        const message = bytesOf(`I do not agree to: ${text}`);
        return {
          terms_signature: base58(await signed(wallet, message)),
          terms_signed_message: base64(message),
        };
      },
    ],
    [
      'a signature of another wallet',
      async (text) => ({ terms_signature: base58(await signed(world.owner, bytesOf(text))) }),
    ],
    [
      'a signature of the bare text that came with an envelope',
      async (text) => ({
        terms_signature: await signMessage(wallet, text),
        terms_signed_message: base64(envelope(text)),
      }),
    ],
    [
      'a signature that is cut short',
      async (text) => ({ terms_signature: (await signMessage(wallet, text)).slice(0, 80) }),
    ],
    ['text that is neither base58 nor base64', async () => ({ terms_signature: '%%% 0OIl' })],
  ])('%s', async (_, signs) => {
    const refused = await submit(await signs(checkout.terms.message));
    expect(statusAndCode(refused)).toBe('403 invalid_terms_signature');
    expect(await world.holding(wallet)).toBe(10n * PRICE);
    const terms_signature = await signMessage(wallet, checkout.terms.message);
    expect(statusAndCode(await submit({ terms_signature }))).toBe('201');
  });
});
