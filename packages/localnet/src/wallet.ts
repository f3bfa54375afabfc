import {
  appendTransactionMessageInstructions,
  createSignableMessage,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Base64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit';

/** Adds a wallet's signature to a transaction in base64. Its other signatures stay. */
export async function signTransaction(
  wallet: KeyPairSigner,
  built: string,
): Promise<Base64EncodedWireTransaction> {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(built));
  return getBase64EncodedWireTransaction(await partiallySignTransaction([wallet.keyPair], transaction));
}

/** Signs a text as it is, as a wallet signs terms, and returns the signature in base58. */
export async function signMessage(wallet: KeyPairSigner, text: string): Promise<string> {
  const [signatures] = await wallet.signMessages([createSignableMessage(text)]);
  const signature = signatures?.[wallet.address];
  if (signature === undefined) throw new Error('The wallet returned no signature.');
  return getBase58Decoder().decode(signature);
}

/**
 * Sends instructions in one transaction that `payer` pays for. On a local chain it has then landed.
 * @throws SolanaError when the chain refuses it
 */
export async function sendInstructions(
  rpc: Rpc<SolanaRpcApi>,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
): Promise<void> {
  const { value: blockhash } = await rpc.getLatestBlockhash().send();
  const signed = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(blockhash, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    signTransactionMessageWithSigners,
  );
  await sendTransaction(rpc, getBase64EncodedWireTransaction(signed));
}

/**
 * Sends a signed transaction, and returns the signature that identifies it, in base58.
 * @throws SolanaError when the chain refuses it
 */
export async function sendTransaction(
  rpc: Rpc<SolanaRpcApi>,
  wire: Base64EncodedWireTransaction,
): Promise<Signature> {
  return rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
}
