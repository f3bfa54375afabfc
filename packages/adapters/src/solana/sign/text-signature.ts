import {
  type Address,
  type OffchainMessage,
  type ReadonlyUint8Array,
  OffchainMessageContentFormat,
  address,
  bytesEqual,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
  getOffchainMessageDecoder,
  getOffchainMessageEncoder,
  getUtf8Encoder,
  signatureBytes,
} from '@solana/kit';
import type { SignedText, TextSignature } from '@subrail/core/ports';
import { isSignature } from './sign.js';

const SIGNATURE_BYTES = 64;

/** The first bytes of every envelope. No transaction begins with them. */
const SIGNING_DOMAIN = Uint8Array.of(0xff, ...getUtf8Encoder().encode('solana offchain'));

/** The application domain of a wallet that names none: 32 bytes of zero. */
const NO_DOMAIN = address('11111111111111111111111111111111');

/**
 * The wallet's signature of a text, in whatever form its app hands it over; null when it is none (terms#what-the-wallet-signs).
 * Hardware wallets sign no bare text: they put it into an envelope, and sign that.
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
          ? [bare, ...envelopesOf(text, signer)]
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
 * The signature in the bytes that a wallet returned: alone, behind what was signed, as mobile wallets return it, or before it, as in
 * the envelope of a message with one signature.
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

/** The envelopes in which a wallet signs a text when it names no domain. */
function envelopesOf(text: string, signer: Address): readonly ReadonlyUint8Array[] {
  const requiredSignatories = [{ address: signer }];
  const formats = [
    OffchainMessageContentFormat.RESTRICTED_ASCII_1232_BYTES_MAX,
    OffchainMessageContentFormat.UTF8_1232_BYTES_MAX,
    OffchainMessageContentFormat.UTF8_65535_BYTES_MAX,
  ];
  const messages = [
    ...formats.map((format) => ({
      ...{ version: 0, applicationDomain: NO_DOMAIN, requiredSignatories },
      content: { format, text },
    })),
    { version: 1, requiredSignatories, content: text },
  ] as unknown as readonly OffchainMessage[];
  const standard = messages.flatMap((message) => {
    try {
      return [getOffchainMessageEncoder().encode(message)];
    } catch {
      // The text does not fit this format.
      return [];
    }
  });
  return [...standard, ...formats.map((format) => shortEnvelope(text, format))];
}

/** The first form of the envelope, without domain and signers, which older devices and Solana's command line sign. */
function shortEnvelope(text: string, format: number): ReadonlyUint8Array {
  const bytes = getUtf8Encoder().encode(text);
  return Uint8Array.of(...SIGNING_DOMAIN, ...[0, format, bytes.length & 0xff, bytes.length >> 8], ...bytes);
}

/** Whether bytes are an envelope, of any domain, in which this wallet alone signs the text. */
function isEnvelopeOf(bytes: ReadonlyUint8Array, text: string, signer: Address): boolean {
  if (envelopesOf(text, signer).some((envelope) => bytesEqual(envelope, bytes))) return true;
  try {
    const message = getOffchainMessageDecoder().decode(bytes);
    const content = typeof message.content === 'string' ? message.content : message.content.text;
    const signers = message.requiredSignatories;
    return (
      content === text &&
      signers.length === 1 &&
      signers[0]?.address === signer &&
      bytesEqual(getOffchainMessageEncoder().encode(message), bytes)
    );
  } catch {
    return false;
  }
}
