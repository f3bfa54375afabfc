import {
  type Address,
  type ReadonlyUint8Array,
  address,
  bytesEqual,
  getAddressEncoder,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
  getUtf8Encoder,
  signatureBytes,
} from '@solana/kit';
import type { SignedText, TextSignature } from '@subrail/core/ports';
import { isSignature } from './sign.js';

const SIGNATURE_BYTES = 64;

/** The first bytes of every envelope. No transaction begins with them. */
const SIGNING_DOMAIN = Uint8Array.of(0xff, ...getUtf8Encoder().encode('solana offchain'));

/** The application domain of a wallet that names none. */
const NO_DOMAIN = new Uint8Array(32);

/**
 * The wallet's signature of a text, in any form of its app; null for none (terms#what-the-wallet-signs).
 * Hardware wallets put a text into an envelope and sign that.
 */
export async function readTextSignature({
  wallet,
  text,
  signature,
  signedMessage,
}: SignedText): Promise<TextSignature | null> {
  const signer = address(wallet);
  const bare = getUtf8Encoder().encode(text);
  const given = signedMessage === null ? [] : decodings(signedMessage);
  for (const handedOver of decodings(signature).flatMap(takeApart)) {
    const messages =
      handedOver.message !== null
        ? [handedOver.message]
        : signedMessage === null
          ? [bare, ...envelopesOf(text, signer, NO_DOMAIN)]
          : given;
    for (const message of messages) {
      const isBare = bytesEqual(message, bare);
      if (!isBare && !isEnvelopeOf(message, text, signer)) continue;
      if (!(await isSignature(signer, signatureBytes(handedOver.signature), message))) continue;
      return {
        signature: getBase58Decoder().decode(handedOver.signature),
        envelope: isBare ? null : getBase64Decoder().decode(message),
      };
    }
  }
  return null;
}

/** The bytes of a text that is base58 or base64, and may be both. */
function decodings(text: string): readonly ReadonlyUint8Array[] {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=*$/, '');
  return [
    () => getBase58Encoder().encode(text),
    () => getBase64Encoder().encode(standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')),
  ].flatMap((decode) => {
    try {
      return [decode()];
    } catch {
      return [];
    }
  });
}

interface HandedOver {
  readonly signature: ReadonlyUint8Array;
  /** The signed bytes that came with it. */
  readonly message: ReadonlyUint8Array | null;
}

/**
 * The signature in returned bytes: alone, behind the message (mobile wallets), or before it (an envelope).
 */
function takeApart(bytes: ReadonlyUint8Array): readonly HandedOver[] {
  if (bytes.length < SIGNATURE_BYTES) return [];
  if (bytes.length === SIGNATURE_BYTES) return [{ signature: bytes, message: null }];
  const end = bytes.length - SIGNATURE_BYTES;
  const behind = { signature: bytes.slice(end), message: bytes.slice(0, end) };
  const before = {
    signature: bytes.slice(1, 1 + SIGNATURE_BYTES),
    message: bytes.slice(1 + SIGNATURE_BYTES),
  };
  return bytes[0] === 1 ? [before, behind] : [behind];
}

/** The formats of version 0: ASCII, UTF-8 and long UTF-8. Devices differ in the one for line breaks. */
const FORMATS = [0, 1, 2];

/** Every envelope in which a wallet alone may sign a text, with a domain where the envelope has one. */
function envelopesOf(
  text: string,
  signer: Address,
  domain: ReadonlyUint8Array,
): readonly ReadonlyUint8Array[] {
  const content = getUtf8Encoder().encode(text);
  const length = [content.length & 0xff, content.length >> 8];
  const signers = [1, ...getAddressEncoder().encode(signer)];
  const headers = [
    ...FORMATS.map((format) => [0, ...domain, format, ...signers, ...length]),
    // The first form, which older devices and Solana's command line sign.
    ...FORMATS.map((format) => [0, format, ...length]),
    [1, ...signers],
    // Version 1 as it was drafted, which some releases of Ledger's app sign.
    [1, ...signers, ...length],
  ];
  return headers.map((header) => Uint8Array.of(...SIGNING_DOMAIN, ...header, ...content));
}

/** Whether bytes are an envelope, of any domain, in which this wallet alone signs the text. */
function isEnvelopeOf(bytes: ReadonlyUint8Array, text: string, signer: Address): boolean {
  const start = SIGNING_DOMAIN.length + 1;
  const domain = bytes.slice(start, start + NO_DOMAIN.length);
  return envelopesOf(text, signer, domain).some((envelope) => bytesEqual(envelope, bytes));
}
