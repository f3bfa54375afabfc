import {
  type KeyPairSigner,
  type Transaction,
  blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  getBase58Decoder,
  partiallySignTransaction,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { BuiltLifetimes } from './built-lifetimes.js';
import { inspect, signatureOf } from './inspect.js';
import { type CompiledTransaction, compile } from '../transaction/message.js';
import { createAddresses } from '../program/addresses.js';
import { transactionParts } from '../build/transaction-kinds.js';
import { cosign } from './sign.js';
import { decodeWire, encodeWire } from '../transaction/wire.js';
import { PLAN, chargeView, key } from '../tests/charge-view.js';

const signerOf = (byte: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));
const [wallet, stranger, charger] = await Promise.all([signerOf(1), signerOf(2), signerOf(3)]);
const addresses = createAddresses();

async function subscribing(
  who: KeyPairSigner,
  amount = PLAN.amount,
  recent = key(9),
): Promise<CompiledTransaction> {
  const { feePayer, instructions } = await transactionParts(
    { plan: { ...PLAN, amount }, wallet: who.address, kind: 'subscribe', view: chargeView() },
    addresses,
    charger.address,
  );
  const lifetime = { blockhash: blockhash(recent), lastValidBlockHeight: 150n };
  return compile(feePayer, instructions, lifetime, { unitLimit: 200_000, unitPrice: 0n });
}

const signedBy = (who: KeyPairSigner, transaction: CompiledTransaction) =>
  partiallySignTransaction([who.keyPair], transaction);
const built = await subscribing(wallet);
const signed = await signedBy(wallet, built);
const inspected = (submitted: string) =>
  inspect(submitted, encodeWire(built), wallet.address, new BuiltLifetimes());

function withSignature(transaction: Transaction, signature: Uint8Array | null): string {
  return encodeWire({
    ...transaction,
    signatures: { ...transaction.signatures, [wallet.address]: signature },
  });
}

// checkout#order-of-submit-checks
describe('the inspection of a submitted transaction', () => {
  it('accepts the built transaction, identified by the wallet’s signature before and after it is co-signed', async () => {
    const signature = getBase58Decoder().decode(signed.signatures[wallet.address] ?? new Uint8Array());
    expect(await inspected(encodeWire(signed))).toEqual({ kind: 'ours', signature, hasBuiltLifetime: true });
    expect(signatureOf(encodeWire(signed))).toBe(signature);
    const cosigned = await cosign(encodeWire(signed), 150n, charger);
    expect(cosigned.signature).toBe(signature);
    expect(signatureOf(cosigned.wire)).toBe(signature);
  });

  it('finds the wallet’s signature missing', async () => {
    expect(await inspected(encodeWire(built))).toEqual({ kind: 'wallet_unsigned' });
    expect(signatureOf(encodeWire(built))).toBeNull();
  });

  it('finds a signature over another message invalid', async () => {
    const other = await signedBy(wallet, await subscribing(wallet, 1n));
    const signature = other.signatures[wallet.address] ?? null;
    expect(await inspected(withSignature(built, signature))).toEqual({ kind: 'wallet_unsigned' });
  });

  it('rejects another message, although the wallet signed it', async () => {
    const other = await signedBy(wallet, await subscribing(wallet, PLAN.amount + 1n));
    expect(await inspected(encodeWire(other))).toEqual({ kind: 'other_message' });
  });

  it('rejects the transaction that was built before, whose blockhash is known to be older', async () => {
    const lifetimes = new BuiltLifetimes();
    const submitted = encodeWire(await signedBy(wallet, await subscribing(wallet, PLAN.amount, key(8))));
    const kind = async () => (await inspect(submitted, encodeWire(built), wallet.address, lifetimes)).kind;
    lifetimes.note(wallet.address, key(9), 150n);
    // The wallet may have read a blockhash itself that is forgotten, or was built with for another wallet.
    lifetimes.note(stranger.address, key(8), 149n);
    expect(await kind()).toBe('ours');
    lifetimes.note(wallet.address, key(8), 149n);
    expect(await kind()).toBe('other_message');
    for (let height = 0n; height < 10_000n; height += 1n) lifetimes.note(wallet.address, `${height}`, height);
    expect(await kind()).toBe('ours');
  });

  it('rejects a message with bytes appended', async () => {
    const longer = Buffer.concat([Buffer.from(encodeWire(signed), 'base64'), Buffer.from([0])]);
    expect(await inspected(longer.toString('base64'))).toEqual({ kind: 'other_message' });
  });

  it('recognises a transaction that another wallet made and signed', async () => {
    const theirs = await signedBy(stranger, await subscribing(stranger));
    expect(await inspected(encodeWire(theirs))).toEqual({ kind: 'other_wallet' });
  });

  it('rejects a transaction of another wallet without its signature', async () => {
    expect(await inspected(encodeWire(await subscribing(stranger)))).toEqual({ kind: 'other_message' });
  });

  it.each([
    ['empty', ''],
    ['not base64', '%%%'],
    ['not a transaction', 'AAAA'],
    ['cut short', encodeWire(built).slice(0, 400)],
    ['longer than a transaction can be', 'A'.repeat(1648)],
  ])('does not decode a text that is %s', async (_, submitted) => {
    expect(await inspected(submitted)).toEqual({ kind: 'undecodable' });
    expect(signatureOf(submitted)).toBeNull();
  });
});

describe('co-signing', () => {
  it('adds the missing signature and changes nothing else', async () => {
    const { wire, lastValidBlockHeight } = await cosign(encodeWire(signed), 150n, charger);
    const cosigned = decodeWire(wire)?.transaction;
    expect(cosigned?.messageBytes).toEqual(built.messageBytes);
    expect(cosigned?.signatures[wallet.address]).toEqual(signed.signatures[wallet.address]);
    expect(cosigned?.signatures[charger.address]).not.toBeNull();
    expect(lastValidBlockHeight).toBe(150n);
  });

  it('refuses a transaction that the wallet did not sign', async () => {
    await expect(cosign(encodeWire(built), 150n, charger)).rejects.toThrow();
  });

  it('refuses a wrong signature of the signer', async () => {
    const broken = {
      address: charger.address,
      signTransactions: async () => [{ [charger.address]: new Uint8Array(64).fill(1) as never }],
    };
    await expect(cosign(encodeWire(signed), 150n, broken)).rejects.toThrow('signature');
  });
});
