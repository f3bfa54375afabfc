import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** The steps of a mail at which a host may be killed, in the order of SMTP. */
export const STEPS = ['connected', 'named', 'half_sent', 'taken', 'answered'] as const;

/** A moment of a mail server: so many mails have come to a step. */
export interface Moment {
  readonly step: (typeof STEPS)[number];
  readonly mail: number;
}

/** A mail that a server took: only the parts that tell one from another. */
export interface TakenMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
}

/** The mail server of one host. */
export interface MailServer {
  readonly port: number;
  /** Whatever the server took, whether or not its host learned of it. */
  readonly taken: readonly TakenMail[];
  /** The addresses that were named, of mails that were taken and of others. */
  readonly named: ReadonlySet<string>;
  /** Resolves at the moment. The mail at that step gets no answer, unless it is `answered`. */
  readonly moment: Promise<void>;
  /** Resolves when every connection has ended. */
  close(): Promise<void>;
}

/**
 * Opens a server that takes every mail.
 *
 * @param moment null for none
 * @param arrive called when the host connects, and so has mails to send; no answer comes before it resolves
 */
export async function openMailServer(
  moment: Moment | null,
  arrive: () => Promise<void>,
): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const named = new Set<string>();
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  let arrived: Promise<void> | null = null;
  let mails = 0;
  const isMoment = (step: Moment['step']): boolean => {
    if (step !== moment?.step) return false;
    mails += 1;
    if (mails === moment.mail) reach();
    return mails === moment.mail;
  };
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect(_session, done) {
      arrived ??= arrive();
      void arrived.then(() => {
        if (!isMoment('connected')) done();
      });
    },
    onRcptTo({ address }, _session, done) {
      named.add(address);
      if (!isMoment('named')) done();
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      let isCut = false;
      stream.on('data', (chunk: Buffer) => {
        if (chunks.push(chunk) === 1) isCut = isMoment('half_sent');
      });
      stream.on('end', () => {
        if (isCut) return;
        const [to] = envelope.rcptTo.map(({ address }) => address);
        taken.push(read(Buffer.concat(chunks).toString('utf8'), to ?? ''));
        if (isMoment('taken')) return;
        done();
        isMoment('answered');
      });
    },
  });
  // A killed host resets its connections.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    port: (listening.address() as AddressInfo).port,
    taken,
    named,
    moment: reached,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function read(raw: string, to: string): TakenMail {
  const headers = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(headers)?.[1]?.trim() ?? '';
  return { id: header('Message-ID'), to, subject: header('Subject') };
}
