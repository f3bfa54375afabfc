import { getTokenDecoder } from '@solana-program/token-2022';
import type { Address, KeyPairSigner } from '@solana/kit';
import type { Mail, MailId, ProjectId } from '@subrail/core/ports';
import { RecordingMailer } from '@subrail/core/testing';
import { tokenAccountOf } from '@subrail/localnet';
import {
  PRICE,
  withOutages,
  type ApiAnswer,
  type Call,
  type ChainFault,
  type IssuedCheckout,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';

import { openServedWorld } from '../http/served-world.js';
import { FROM } from '../mails/mail-world.js';

const TOKEN_ACCOUNT = getTokenDecoder();

/** A subscription of a scenario, by the name that its page uses. */
interface NamedSubscription {
  readonly name: string;
  readonly id: string;
}

/** A test world in which a scenario is played: the service behind a socket, and its people by name. */
export interface ScenarioWorld {
  readonly world: TestWorld;
  /** When the scenario begins. */
  readonly start: number;
  /** Calls the service over the socket. */
  readonly call: Call;
  /** The wallet of a person, who has 50 tokens at first. */
  wallet(person: string): Promise<KeyPairSigner>;
  /** What everybody who is known so far holds, as of the last look at the chain. */
  readonly holdings: Map<string, bigint>;
  /** What everybody holds now. */
  readHoldings(): ReadonlyMap<string, bigint>;
  /** Takes the mails that the mail server got since the last call, each by its kind. */
  takeMails(): Promise<readonly Pick<Mail, 'subscriptionId' | 'kind'>[]>;
  /** Every subscription so far, in the order in which they were created. */
  readonly subscriptions: NamedSubscription[];
  /** The latest subscription of a person. */
  subscriptionOf(person: string): NamedSubscription;
  readonly checkouts: Map<string, IssuedCheckout>;
  /** The faults of the chain that are active, by name. */
  readonly faults: Map<string, ChainFault>;
  /** Applies `faults` after it was changed. */
  applyFaults(): void;
  /** Whether a worker runs. */
  worker: boolean;
  close(): Promise<void>;
}

export async function openScenarioWorld(options: TestWorldOptions): Promise<ScenarioWorld> {
  const mailer = new RecordingMailer();
  const ports = { mailer, settings: { mailFrom: FROM } };
  const served = await openServedWorld({ store: 'sqlite', ports, ...options });
  const { world, url, key } = served;
  const call: Call = async (method, path, body): Promise<ApiAnswer> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const people = new Map<string, KeyPairSigner>([['shop', world.owner]]);
  const tokenAccounts = new Map<string, Address>([
    ['shop', await tokenAccountOf(world.token, world.owner.address)],
  ]);
  const holdings = new Map<string, bigint>([['shop', 0n]]);
  const subscriptions: NamedSubscription[] = [];
  const faults = new Map<string, ChainFault>();
  return {
    ...{ world, call, holdings, subscriptions, faults, start: world.now().getTime() },
    async wallet(person) {
      const known = people.get(person);
      if (known !== undefined) return known;
      const wallet = await world.wallet(10n * PRICE);
      people.set(person, wallet);
      tokenAccounts.set(person, await tokenAccountOf(world.token, wallet.address));
      holdings.set(person, 10n * PRICE);
      return wallet;
    },
    readHoldings() {
      const read = [...tokenAccounts].map(([name, address]) => {
        const account = world.localnet.getAccount(address);
        return [name, account === null ? 0n : TOKEN_ACCOUNT.decode(account.data).amount] as const;
      });
      return new Map(read);
    },
    async takeMails() {
      const taken = mailer.mails.splice(0);
      return Promise.all(
        taken.map(async ({ id: messageId }) => {
          const id = messageId.replace(/@.*/, '') as MailId;
          const mail = await world.store.findMail(world.projectId as ProjectId, id);
          if (mail === null) throw new Error(`${id} was sent and is not stored.`);
          return mail;
        }),
      );
    },
    subscriptionOf(person) {
      const found = subscriptions.findLast(({ name }) => name.split(' ')[0] === person);
      if (found === undefined) throw new Error(`${person} has no subscription.`);
      return found;
    },
    checkouts: new Map(),
    applyFaults: () => world.injectFaults(...faults.values()),
    worker: true,
    async close() {
      world.forgiveErrors('network_unavailable');
      world.forgiveErrors('transport');
      await served.close();
    },
  };
}

/** The RPC does not answer. */
export const silentChain: ChainFault = (chain) => withOutages(chain, () => ({ kind: 'transport' }));

/** The RPC answers every call with an error. */
export const failingChain =
  (code: number): ChainFault =>
  (chain) =>
    withOutages(chain, () => ({ kind: 'rpc', code }));

/** The program refuses the next sent transfer, without a cause that a read of the chain would show. */
export function refuseOnce(code: number): ChainFault {
  let isDone = false;
  return (chain) => ({
    async send(wires) {
      if (isDone) return chain.send(wires);
      isDone = true;
      return wires.map(() => ({ kind: 'refused', refusal: { kind: 'program', code } }));
    },
  });
}

/** Somebody acts after the chain was read for a charge, and before its transfer is sent. */
export function interrupt(act: () => Promise<unknown>): ChainFault {
  let isDone = false;
  return (chain) => ({
    async send(wires) {
      if (!isDone) {
        isDone = true;
        await act();
      }
      return chain.send(wires);
    },
  });
}

/** No block is made: what is sent waits. */
export const noBlocks: ChainFault = () => ({
  send: (wires) => Promise.resolve(wires.map(() => ({ kind: 'unknown' }))),
  resolve: (queries) => Promise.resolve(queries.map(() => ({ kind: 'waiting' }))),
});
