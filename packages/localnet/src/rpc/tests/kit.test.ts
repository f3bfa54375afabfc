import { getTransferSolInstruction } from '@solana-program/system';
import {
  airdropFactory,
  assertIsSendableTransaction,
  assertIsTransactionWithBlockhashLifetime,
  appendTransactionMessageInstruction,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getSignatureFromTransaction,
  isSolanaError,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  type Rpc,
  type RpcSubscriptions,
  type SolanaRpcApi,
  type SolanaRpcSubscriptionsApi,
} from '@solana/kit';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createLocalnet,
  localnetRpc,
  localnetRpcSubscriptions,
  serveLocalnet,
  type Localnet,
} from '../../index.js';
import { SOL, signer } from '../../tests/transactions.js';

interface Connection {
  readonly chain: Localnet;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly rpcSubscriptions: RpcSubscriptions<SolanaRpcSubscriptionsApi>;
}

const payer = await signer(1);
const other = await signer(2);
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const CONNECTIONS: Readonly<Record<string, () => Promise<Connection>>> = {
  'over HTTP and WebSocket': async () => {
    const chain = createLocalnet();
    const served = await serveLocalnet(chain, { port: 0 });
    closing.push(() => served.close());
    return {
      chain,
      rpc: createSolanaRpc(served.url),
      rpcSubscriptions: createSolanaRpcSubscriptions(served.webSocketUrl),
    };
  },
  'in process': () => {
    const chain = createLocalnet();
    return Promise.resolve({
      chain,
      rpc: localnetRpc(chain),
      rpcSubscriptions: localnetRpcSubscriptions(chain),
    });
  },
};

async function transferOf({ rpc }: Connection, amount: bigint) {
  const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const transaction = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(latest, message),
      (message) =>
        appendTransactionMessageInstruction(
          getTransferSolInstruction({ source: payer, destination: other.address, amount }),
          message,
        ),
    ),
  );
  assertIsSendableTransaction(transaction);
  assertIsTransactionWithBlockhashLifetime(transaction);
  return transaction;
}

describe.each(Object.entries(CONNECTIONS))("kit's own senders work %s", (_, connect) => {
  test('airdropFactory and sendAndConfirmTransactionFactory wait until a transaction is confirmed', async () => {
    const connection = await connect();
    const { rpc } = connection;
    await airdropFactory(connection)({
      commitment: 'confirmed',
      lamports: lamports(SOL),
      recipientAddress: payer.address,
    });
    const transaction = await transferOf(connection, SOL / 4n);
    await sendAndConfirmTransactionFactory(connection)(transaction, { commitment: 'confirmed' });
    const { value } = await rpc.getBalance(other.address).send();
    expect(value).toBe(SOL / 4n);
    const landed = await rpc
      .getTransaction(getSignatureFromTransaction(transaction), {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(landed?.meta?.fee).toBe(5_000n);
    expect(Number(landed?.version)).toBe(0);
  });

  // program#commitment-and-rpc-methods
  test('sendAndConfirmTransactionFactory waits until a transaction is finalized, 31 blocks later', async () => {
    const connection = await connect();
    connection.chain.airdrop(payer.address, SOL);
    const transaction = await transferOf(connection, SOL / 4n);
    const stop = connection.chain.onChange((change) => {
      if (change.kind === 'landed') queueMicrotask(() => connection.chain.advance({ slots: 31 }));
    });
    await sendAndConfirmTransactionFactory(connection)(transaction, { commitment: 'finalized' });
    stop();
    const { value } = await connection.rpc
      .getSignatureStatuses([getSignatureFromTransaction(transaction)])
      .send();
    expect(value[0]).toMatchObject({ confirmationStatus: 'finalized', confirmations: null, err: null });
  });

  // program#failure-classification
  test("a failing preflight throws kit's error with the cause", async () => {
    const connection = await connect();
    connection.chain.airdrop(payer.address, SOL);
    const transaction = await transferOf(connection, 5n * SOL);
    const error: unknown = await sendAndConfirmTransactionFactory(connection)(transaction, {
      commitment: 'confirmed',
    }).catch((failure: unknown) => failure);
    expect(
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE),
    ).toBe(true);
    expect(error).toMatchObject({
      context: { unitsConsumed: 150n },
      cause: { context: { code: 1, index: 0 } },
    });
    expect(connection.chain.getAccount(payer.address)?.lamports).toBe(SOL);
  });

  // program#blockhash-lifetime
  test('kit reports that a transaction has expired after its last valid block', async () => {
    const connection = await connect();
    connection.chain.airdrop(payer.address, SOL);
    const transaction = await transferOf(connection, 1n);
    connection.chain.advance({ slots: 151 });
    const error: unknown = await sendAndConfirmTransactionFactory(connection)(transaction, {
      commitment: 'confirmed',
      skipPreflight: true,
    }).catch((failure: unknown) => failure);
    expect(isSolanaError(error, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED)).toBe(true);
  });

  test('slot and account notifications arrive', async () => {
    const { chain, rpcSubscriptions } = await connect();
    const abort = new AbortController();
    const options = { abortSignal: abort.signal };
    const slots = await rpcSubscriptions.slotNotifications().subscribe(options);
    const accounts = await rpcSubscriptions
      .accountNotifications(other.address, { commitment: 'confirmed', encoding: 'base64' })
      .subscribe(options);
    // Kit delivers notifications from the first call of `next` on.
    const [nextSlot, nextAccount] = [slots, accounts].map((iterable) =>
      iterable[Symbol.asyncIterator]().next(),
    );
    const before = chain.clock.slot;
    chain.advance({ slots: 5 });
    chain.airdrop(other.address, SOL);
    const [slot, account] = [await nextSlot, await nextAccount];
    expect(slot?.value).toMatchObject({ slot: before + 5n, parent: before + 4n });
    expect(account?.value).toMatchObject({ context: { slot: before + 5n }, value: { lamports: SOL } });
    abort.abort();
  });

  test('log notifications arrive for a mentioned address only', async () => {
    const { chain, rpcSubscriptions } = await connect();
    const abort = new AbortController();
    const logs = await rpcSubscriptions
      .logsNotifications({ mentions: [other.address] }, { commitment: 'confirmed' })
      .subscribe({ abortSignal: abort.signal });
    const next = logs[Symbol.asyncIterator]().next();
    chain.airdrop(payer.address, SOL);
    const signature = chain.airdrop(other.address, SOL);
    const notified = await next;
    expect(notified.value).toMatchObject({ value: { signature, err: null } });
    abort.abort();
  });
});
