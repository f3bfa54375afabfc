import {
  createRpcSubscriptionsTransportFromChannelCreator,
  createSolanaRpcFromTransport,
  createSolanaRpcSubscriptionsFromTransport,
  type Rpc,
  type RpcSubscriptions,
  type RpcSubscriptionsChannelCreator,
  type RpcTransport,
  type SolanaRpcApi,
  type SolanaRpcSubscriptionsApi,
} from '@solana/kit';
import type { Localnet } from '../localnet.js';
import { dispatch, dispatchTo } from './dispatch.js';
import { Session } from './notifications.js';

/** A transport for kit that calls the chain in this process, without a socket or JSON. */
export function localnetTransport(chain: Localnet): RpcTransport {
  return async <TResponse>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<TResponse> => {
    signal?.throwIfAborted();
    return dispatch(chain, payload) as TResponse;
  };
}

/** Kit's RPC client for the chain in this process. */
export function localnetRpc(chain: Localnet): Rpc<SolanaRpcApi> {
  return createSolanaRpcFromTransport(localnetTransport(chain));
}

/** Kit's subscriptions client for the chain in this process. Abort a subscription's signal to end it. */
export function localnetRpcSubscriptions(chain: Localnet): RpcSubscriptions<SolanaRpcSubscriptionsApi> {
  const openChannel: RpcSubscriptionsChannelCreator<unknown, unknown> = ({ abortSignal }) =>
    Promise.resolve(createChannel(chain, abortSignal));
  return createSolanaRpcSubscriptionsFromTransport(
    createRpcSubscriptionsTransportFromChannelCreator(openChannel),
  );
}

type Channel = Awaited<ReturnType<RpcSubscriptionsChannelCreator<unknown, unknown>>>;
type Listener = (message: unknown) => void;

function createChannel(chain: Localnet, abortSignal: AbortSignal): Channel {
  const listeners = new Set<Listener>();
  // Kit listens for notifications a few ticks after the response; a socket is always slower than that.
  const deliver = (message: unknown): void =>
    void setImmediate(() => {
      for (const listener of [...listeners]) listener(message);
    });
  const session = new Session(chain, deliver);
  abortSignal.addEventListener('abort', () => session.close(), { once: true });
  return {
    on(event, subscriber, options) {
      // The other event is `error`, and this channel cannot break.
      if (event !== 'message') return () => undefined;
      const listener = subscriber as Listener;
      listeners.add(listener);
      const stop = (): void => void listeners.delete(listener);
      options?.signal.addEventListener('abort', stop, { once: true });
      return stop;
    },
    send(message) {
      deliver(dispatchTo((method, params) => session.call(method, params), message));
      return Promise.resolve();
    },
  };
}
