import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ArrivedMail, FakeMailServer } from '@subrail/core/testing';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server got it, byte for byte too. */
interface TakenMail extends ArrivedMail {
  readonly raw: string;
}

/** A server of SMTP on this machine that treats every mail in one way, which may be a bad one. */
export interface FakeSmtp {
  readonly port: number;
  readonly arrived: readonly TakenMail[];
  /** The log-ins so far, each as `user:password`. */
  readonly logIns: readonly string[];
  /** How many connections were made so far. */
  connections(): number;
  /** How many connections are open. */
  open(): number;
  /** Cuts all connections. */
  cut(): void;
  recover(): void;
  close(): Promise<void>;
}

/** An answer of the server, such as `550 5.1.1 No such user`. */
export const answer = (text: string): Error =>
  Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) });

/** Behaviours that are answers of the protocol, as settings of the server. */
const ANSWERS: Readonly<Partial<Record<FakeMailServer, SMTPServerOptions>>> = {
  refuses_address: {
    onRcptTo: ({ address }, _, done) => done(answer(`550 5.1.1 <${address}>: no such user here`)),
  },
  defers: {
    onData(stream, _, done) {
      stream.resume().on('end', () => done(answer('451 4.7.1 "Your receipt of March" later, please')));
    },
  },
  refuses_sender: { onMailFrom: (_, __, done) => done(answer('550 5.7.1 You may not send as this')) },
  refuses_log_in: {
    onAuth: ({ username = '' }, _, done) => done(answer(`535 5.7.8 ${username} is not known`)),
  },
};

/** Behaviours of the connection: how a server that speaks no SMTP treats a socket. */
const SOCKETS: Readonly<Partial<Record<FakeMailServer, (socket: Socket) => void>>> = {
  silent: (socket) => void socket.resume(),
  drips(socket) {
    socket.resume().write('220-');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(drip));
  },
  hangs_up: (socket) => void socket.end(),
  garbage: (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
};

/**
 * Starts a server of SMTP on 127.0.0.1, as `mailerConformance` of `@subrail/core/testing` asks: without
 * TLS, and for whoever logs in. `settings` are further ones of smtp-server. Authors of a mailer copy this
 * file, which imports only Node, smtp-server, postal-mime and types of the kit.
 */
export async function openFakeMailServer(
  behaviour: FakeMailServer,
  settings: SMTPServerOptions = {},
): Promise<FakeSmtp> {
  const arrived: TakenMail[] = [];
  const logIns: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const accepting: SMTPServerOptions = {
    ...{ authOptional: true, allowInsecureAuth: true, disableReverseLookup: true, closeTimeout: 1 },
    ...{ logger: false, disabledCommands: ['STARTTLS'] },
    onAuth({ username = '', password }, _, done) {
      logIns.push(`${username}:${password ?? ''}`);
      done(null, { user: username });
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        void read(Buffer.concat(chunks), to).then((mail) => {
          arrived.push(mail);
          done();
        }, done);
      });
    },
  };
  const well = new SMTPServer({ ...accepting, ...settings });
  const bad = new SMTPServer({ ...accepting, ...settings, ...ANSWERS[behaviour] });
  for (const smtp of [well, bad]) smtp.on('error', () => undefined);
  const cut = () => {
    // Node crashes when a socket is destroyed below a handshake of TLS, so it is ended.
    for (const socket of sockets) socket.end();
  };
  let recovered = behaviour === 'accepts';
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    const treat = SOCKETS[behaviour];
    if (!recovered && treat !== undefined) treat(socket);
    else (recovered ? well : bad).server.emit('connection', socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    arrived,
    logIns,
    connections: () => connections,
    open: () => sockets.size,
    cut,
    recover() {
      recovered = true;
      cut();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

/** Reads a mail as the program of a customer does. */
async function read(raw: Buffer, to: readonly string[]): Promise<TakenMail> {
  const mail = await PostalMime.parse(raw);
  return {
    id: (mail.messageId ?? '').replace(/^<|>$/g, ''),
    from: { name: mail.from?.name ?? '', address: mail.from?.address ?? '' },
    to,
    replyTo: mail.replyTo?.[0]?.address ?? null,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: mail.headers.map(({ key }) => key),
    raw: raw.toString('utf8'),
  };
}
