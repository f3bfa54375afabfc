import { getBase58Encoder, type KeyPairSigner } from '@solana/kit';
import { signMessage, signTransaction } from '@subrail/localnet';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { WebSocketServer, type WebSocket } from 'ws';

const { subtle } = webcrypto;
type CryptoKey = webcrypto.CryptoKey;

const CURVE = { namedCurve: 'P-256' };

/** The questions of the protocol that a person answers. */
export type Question = 'authorize' | 'sign_messages' | 'sign_transactions';

interface Call {
  readonly id: number;
  readonly method: Question | 'get_capabilities';
  readonly params: {
    readonly auth_token?: string;
    readonly chain?: string;
    readonly addresses?: readonly string[];
    readonly payloads?: readonly string[];
  };
}

/** The app of a wallet on the phone that has the page. */
export interface PhoneApp {
  /** Whether the phone has it. */
  isInstalled: boolean;
  /** Its features besides those of every app. */
  features: readonly string[];
  /** The questions that its person declines once. */
  readonly declines: Set<Question>;
  /** The questions that its person leaves open. */
  readonly leaves: Set<Question>;
  /** The addresses by which it was opened. */
  readonly opened: readonly URL[];
  /** The questions so far, in order; that of a connection that it knew is `authorize again`. */
  readonly asked: readonly string[];
  /** Forgets which pages it allowed. */
  forget(): void;
  /** Ends every visit without an answer. */
  close(): Promise<void>;
}

/** The answer of an app to a call that its person declined, by the protocol. */
class Declined extends Error {
  constructor(readonly code: -1 | -3) {
    super('The person said no.');
  }
}

/**
 * Puts the app of a wallet beside a page: it hears the addresses that the page opens, takes the focus from
 * the page as an app on top of it does, and speaks the Mobile Wallet Adapter protocol with its key.
 */
export async function openPhoneApp(page: Page, key: KeyPairSigner): Promise<PhoneApp> {
  const account = Buffer.from(getBase58Encoder().encode(key.address)).toString('base64');
  const opened: URL[] = [];
  const asked: string[] = [];
  const servers: WebSocketServer[] = [];
  let tokens = new Set<string>();
  const app: PhoneApp = {
    isInstalled: true,
    features: ['solana:signTransactions'],
    declines: new Set(),
    leaves: new Set(),
    opened,
    asked,
    forget: () => {
      tokens = new Set();
    },
    async close() {
      await Promise.all(
        servers.splice(0).map(
          (server) =>
            new Promise((resolve) => {
              for (const client of server.clients) client.terminate();
              server.close(resolve);
            }),
        ),
      );
    },
  };

  /** Opens the app for an address of a page. False when the phone has none. */
  async function open(address: string): Promise<boolean> {
    const url = new URL(address);
    opened.push(url);
    if (!app.isInstalled) return false;
    const server = new WebSocketServer({ host: '127.0.0.1', port: Number(url.searchParams.get('port')) });
    servers.push(server);
    server.on('connection', (socket) => {
      talk(socket, associationOf(url));
      socket.once('close', () => server.close());
    });
    await once(server, 'listening');
    return true;
  }
  await page.exposeFunction('openPhoneApp', open);
  await page.addInitScript(catchAddresses);
  await page.evaluate(catchAddresses);

  /** Answers the calls of one visit. */
  function talk(socket: WebSocket, association: Uint8Array) {
    let shared: CryptoKey | null = null;
    let sent = 0;
    let sending = Promise.resolve();
    /** Sends one after another: encryptions may end in another order than that of their numbers. */
    const send = (secret: CryptoKey, message: object) =>
      (sending = sending.then(async () =>
        socket.send(await encrypted(secret, (sent += 1), JSON.stringify(message))),
      ));
    socket.on('message', (data: Buffer) => {
      const bytes = new Uint8Array(data);
      const answered = async () => {
        if (shared === null) {
          const greeting = await greet(bytes, association);
          ({ shared } = greeting);
          const props = await encrypted(shared, (sent += 1), JSON.stringify({ v: 'v1' }));
          socket.send(Buffer.concat([greeting.own, props]));
          return;
        }
        const call = JSON.parse(await decrypted(shared, bytes)) as Call;
        const { id } = call;
        try {
          const result = await answer(call);
          if (result !== null) await send(shared, { jsonrpc: '2.0', id, result });
        } catch (error) {
          const { code = -32_000, message } = error as { code?: number; message: string };
          await send(shared, { jsonrpc: '2.0', id, error: { code, message } });
        }
      };
      answered().catch((error: unknown) => socket.close(1011, String(error)));
    });
  }

  /** The answer of the person and the key to a call; null while it is left open. */
  async function answer({ method, params }: Call): Promise<object | null> {
    const { payloads = [], auth_token: token } = params;
    if (method === 'get_capabilities') return { features: app.features, max_messages_per_request: 1 };
    const isKnown = method === 'authorize' && token !== undefined;
    asked.push(isKnown ? 'authorize again' : method);
    if (isKnown && !tokens.has(token)) throw new Declined(-1);
    if (app.leaves.has(method)) return null;
    if (!isKnown && app.declines.delete(method)) throw new Declined(method === 'authorize' ? -1 : -3);
    switch (method) {
      case 'authorize': {
        if (params.chain !== 'solana:devnet') throw new Error(`No such chain: ${params.chain}`);
        const given = token ?? `token-${tokens.size + 1}`;
        tokens.add(given);
        return { auth_token: given, accounts: [{ address: account, label: 'Main' }], wallet_uri_base: null };
      }
      case 'sign_messages':
        return {
          signed_payloads: await Promise.all(
            payloads.map(async (payload) => {
              const text = Buffer.from(payload, 'base64');
              const signature = await signMessage(key, text.toString());
              return Buffer.concat([text, Buffer.from(getBase58Encoder().encode(signature))]).toString(
                'base64',
              );
            }),
          ),
        };
      case 'sign_transactions':
        return {
          signed_payloads: await Promise.all(payloads.map((payload) => signTransaction(key, payload))),
        };
    }
  }

  return app;
}

/** Runs in the page: takes the addresses that a phone would open in an app, which covers the page then. */
function catchAddresses() {
  // A visit draws its port from 49152 on. Those below 61000 may be the end of another connection.
  const draw = Math.random;
  Math.random = () => 0.75 + draw() / 4;
  const { navigation, openPhoneApp: open } = window as unknown as {
    readonly navigation: EventTarget;
    readonly openPhoneApp: (address: string) => Promise<boolean>;
  };
  navigation.addEventListener('navigate', (event) => {
    const { url } = (event as Event & { readonly destination: { readonly url: string } }).destination;
    if (!url.startsWith('solana-wallet:')) return;
    // The browser of a desk would ask which program opens it, and take no clicks meanwhile.
    event.preventDefault();
    void open(url).then((isOpen) => isOpen && dispatchEvent(new Event('blur')));
  });
}

/** The public key of an association, from the address that opens the app. */
function associationOf(url: URL): Uint8Array {
  const text = url.searchParams.get('association') ?? '';
  return new Uint8Array(Buffer.from(text.replaceAll('.', '='), 'base64url'));
}

/** Checks that a greeting is of the page that opened the app, and agrees on a key with it. */
async function greet(greeting: Uint8Array, association: Uint8Array) {
  const [theirs, signature] = [greeting.slice(0, 65), greeting.slice(65)];
  const ecdsa = { name: 'ECDSA', ...CURVE };
  const ofPage = await subtle.importKey('raw', association, ecdsa, true, ['verify']);
  if (!(await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, ofPage, signature, theirs)))
    throw new Error('Another page says hello.');
  const ecdh = { name: 'ECDH', ...CURVE };
  const own = await subtle.generateKey(ecdh, true, ['deriveBits']);
  const bits = await subtle.deriveBits(
    { name: 'ECDH', public: await subtle.importKey('raw', theirs, ecdh, true, []) },
    own.privateKey,
    256,
  );
  const shared = await subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: association, info: new Uint8Array() },
    await subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey']),
    { name: 'AES-GCM', length: 128 },
    false,
    ['encrypt', 'decrypt'],
  );
  return { shared, own: new Uint8Array(await subtle.exportKey('raw', own.publicKey)) };
}

const sealing = (count: Uint8Array, iv: Uint8Array) => ({
  name: 'AES-GCM',
  iv,
  additionalData: count,
  tagLength: 128,
});

async function encrypted(secret: CryptoKey, count: number, text: string): Promise<Buffer> {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(count);
  const iv = webcrypto.getRandomValues(new Uint8Array(12));
  const sealed = await subtle.encrypt(sealing(number, iv), secret, Buffer.from(text));
  return Buffer.concat([number, iv, new Uint8Array(sealed)]);
}

async function decrypted(secret: CryptoKey, bytes: Uint8Array): Promise<string> {
  const [count, iv, sealed] = [bytes.slice(0, 4), bytes.slice(4, 16), bytes.slice(16)];
  return Buffer.from(await subtle.decrypt(sealing(count, iv), secret, sealed)).toString();
}
