import type { Address } from '@solana/kit';
import type { Localnet } from '../../localnet.js';
import { SLOTS_PER_EPOCH } from '../../runtime/native-runtime.js';
import type { AccountState } from '../../runtime/program.js';
import type { TokenAccountUpdate } from '../../runtime/token-layout.js';
import { API_VERSION } from '../commitment.js';
import type { Methods, Param, Params } from '../params.js';
import { rangeErrorAsInvalidParams } from '../rpc-error.js';
import { epochInfo } from './cluster.js';

const HEX = /^(?:[0-9a-f]{2})*$/i;

/** Cheat codes with Surfpool's names and parameters. A value that would break the chain is refused. */
export const surfnetMethods: Methods = {
  surfnet_timeTravel: movesClock((chain, params) => timeTravel(chain, params.at(0, 'config'))),
  surfnet_pauseClock: movesClock((chain) => chain.pauseClock()),
  surfnet_resumeClock: movesClock((chain) => chain.resumeClock()),
  surfnet_setAccount: setsAccounts((chain, params) => {
    const update = readAccountUpdate(params.at(1, 'update'));
    chain.setAccount(params.at(0, 'pubkey').address(), update);
  }),
  surfnet_setTokenAccount: setsAccounts((chain, params) => {
    const update = readTokenUpdate(params.at(2, 'update'));
    const program = params.at(3, 'tokenProgram').or(undefined, (param) => param.address());
    chain.setTokenAccount(params.at(0, 'owner').address(), params.at(1, 'mint').address(), update, program);
  }),
  surfnet_resetAccount: setsAccounts((chain, params) => {
    const address = params.at(0, 'pubkey').address();
    const includeOwned = params.at(1, 'config').member('includeOwnedAccounts').flag();
    const owned = includeOwned ? [...chain.accounts.ownedBy(address)] : [];
    // Surfpool copies the account from its network again. This chain has no other network and removes it.
    for (const [account] of [...owned, [address] as const]) chain.setAccount(account, { lamports: 0n });
  }),
};

type Write = (chain: Localnet, params: Params) => void;

function movesClock(write: Write): Methods[string] {
  return (chain, params) => {
    rangeErrorAsInvalidParams(() => write(chain, params));
    return epochInfo(chain, chain.clock.slot);
  };
}

function setsAccounts(write: Write): Methods[string] {
  return (chain, params) => {
    rangeErrorAsInvalidParams(() => write(chain, params));
    return { context: { slot: chain.clock.slot, apiVersion: API_VERSION }, value: null };
  };
}

function timeTravel(chain: Localnet, config: Param): void {
  const timestamp = config.member('absoluteTimestamp');
  const epoch = config.member('absoluteEpoch');
  const slot = config.member('absoluteSlot');
  if (timestamp.given) return chain.travelTo(new Date(Number(timestamp.u64())));
  if (!slot.given && !epoch.given) {
    throw config.wrong('an object with absoluteTimestamp (milliseconds), absoluteSlot or absoluteEpoch');
  }
  const target = slot.given ? slot.u64() : epoch.u64() * SLOTS_PER_EPOCH;
  chain.advance({ slots: Number(target - chain.clock.slot) });
}

function readAccountUpdate(update: Param): Partial<AccountState> {
  return membersOf<AccountState>(update, {
    lamports: (param) => param.u64(),
    data: readHex,
    owner: (param) => param.address(),
    executable: (param) => param.boolean(),
  });
}

function readHex(param: Param): Uint8Array {
  const text = param.string();
  if (!HEX.test(text)) throw param.wrong('bytes in hexadecimal');
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

function readTokenUpdate(update: Param): TokenAccountUpdate {
  return membersOf<Required<TokenAccountUpdate>>(update, {
    amount: (param) => param.u64(),
    delegatedAmount: (param) => param.u64(),
    state: (param) => param.oneOf(['initialized', 'frozen']),
    delegate: addressOrNone,
    closeAuthority: addressOrNone,
  });
}

function membersOf<T extends object>(
  object: Param,
  readers: { readonly [K in keyof T & string]: (param: Param) => T[K] },
): Partial<T> {
  const members: Partial<T> = {};
  for (const name of Object.keys(readers) as (keyof T & string)[]) {
    const member = object.member(name);
    if (member.given) members[name] = readers[name](member);
  }
  return members;
}

/** The string "null" removes an authority; a missing or null member keeps it. */
function addressOrNone(param: Param): Address | null {
  return param.value === 'null' ? null : param.address();
}
