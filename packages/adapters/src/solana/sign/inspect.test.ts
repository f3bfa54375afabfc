import {
  type KeyPairSigner,
  type Transaction,
  blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  getBase58Decoder,
  partiallySignTransaction,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
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

async function subscribing(who: KeyPairSigner, amount = PLAN.amount): Promise<CompiledTransaction> {
  const { feePayer, instructions } = await transactionParts(
    { plan: { ...PLAN, amount }, wallet: who.address, kind: 'subscribe', view: chargeView() },
    addresses,
    charger.address,
  );
  const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n };
  return compile(feePayer, instructions, lifetime, { unitLimit: 200_000, unitPrice: 0n });
}

const signedBy = (who: KeyPairSigner, transaction: CompiledTransaction) =>
  partiallySignTransaction([who.keyPair], transaction);
const built = await subscribing(wallet);
const signed = await signedBy(wallet, built);
const look = (submitted: string) => inspect(submitted, encodeWire(built), wallet.address);

function withSignature(transaction: Transaction, signature: Uint8Array | null): string {
  return encodeWire({
    ...transaction,
    signatures: { ...transaction.signatures, [wallet.address]: signature },
  });
}

describe('checkout#order-of-create-refusals, submit 5: is it the transaction built, signed by its wallet', () => {
  it("ours, known by the wallet's signature before it is co-signed", async () => {
    const signature = getBase58Decoder().decode(signed.signatures[wallet.address] ?? new Uint8Array());
    expect(await look(encodeWire(signed))).toEqual({ kind: 'ours', signature });
    expect(signatureOf(encodeWire(signed))).toBe(signature);
    const cosigned = await cosign(encodeWire(signed), 150n, charger);
    expect(cosigned.signature).toBe(signature);
    expect(signatureOf(cosigned.wire)).toBe(signature);
  });

  it('unsigned as it was built', async () => {
    expect(await look(encodeWire(built))).toEqual({ kind: 'wallet_unsigned' });
    expect(signatureOf(encodeWire(built))).toBeNull();
  });

  it('signed over something else', async () => {
    const other = await signedBy(wallet, await subscribing(wallet, 1n));
    const signature = other.signatures[wallet.address] ?? null;
    expect(await look(withSignature(built, signature))).toEqual({ kind: 'wallet_unsigned' });
  });

  it('another message, though the wallet signed it', async () => {
    const other = await signedBy(wallet, await subscribing(wallet, PLAN.amount + 1n));
    expect(await look(encodeWire(other))).toEqual({ kind: 'other_message' });
  });

  it('another message when bytes follow it', async () => {
    const longer = Buffer.concat([Buffer.from(encodeWire(signed), 'base64'), Buffer.from([0])]);
    expect(await look(longer.toString('base64'))).toEqual({ kind: 'other_message' });
  });

  it('signed by another wallet, which must have made it its own', async () => {
    const theirs = await signedBy(stranger, await subscribing(stranger));
    expect(await look(encodeWire(theirs))).toEqual({ kind: 'other_wallet' });
  });

  it("another wallet's, and not even signed by it", async () => {
    expect(await look(encodeWire(await subscribing(stranger)))).toEqual({ kind: 'other_message' });
  });

  it.each([
    ['empty', ''],
    ['not base64', '%%%'],
    ['not a transaction', 'AAAA'],
    ['cut short', encodeWire(built).slice(0, 400)],
    ['longer than a transaction can be', 'A'.repeat(1648)],
  ])('undecodable: %s', async (_, submitted) => {
    expect(await look(submitted)).toEqual({ kind: 'undecodable' });
    expect(signatureOf(submitted)).toBeNull();
  });
});

describe('co-signing', () => {
  it('adds the one signature that lacks and changes nothing else', async () => {
    const { wire, lastValidBlockHeight } = await cosign(encodeWire(signed), 150n, charger);
    const cosigned = decodeWire(wire)?.transaction;
    expect(cosigned?.messageBytes).toEqual(built.messageBytes);
    expect(cosigned?.signatures[wallet.address]).toEqual(signed.signatures[wallet.address]);
    expect(cosigned?.signatures[charger.address]).not.toBeNull();
    expect(lastValidBlockHeight).toBe(150n);
  });

  it('does not complete a transaction its wallet did not sign', async () => {
    await expect(cosign(encodeWire(built), 150n, charger)).rejects.toThrow();
  });

  it('notices a signer that signs something else', async () => {
    const broken = {
      address: charger.address,
      signTransactions: async () => [{ [charger.address]: new Uint8Array(64).fill(1) as never }],
    };
    await expect(cosign(encodeWire(signed), 150n, broken)).rejects.toThrow('signature');
  });
});
