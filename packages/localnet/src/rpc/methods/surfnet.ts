import type { Address } from '@solana/kit';
import type { Localnet } from '../../localnet.js';
import { SLOTS_PER_EPOCH } from '../../runtime/native-runtime.js';
import type { AccountState } from '../../runtime/program.js';
import type { TokenAccountUpdate } from '../../runtime/token-layout.js';
import { API_VERSION } from '../commitment.js';
import type { Methods } from '../method.js';
import type { Param } from '../params.js';
import { invalidParams } from '../rpc-error.js';
import { epochInfo } from './cluster.js';

const HEX = /^(?:[0-9a-f]{2})*$/i;

/** Cheat codes with Surfpool's names and parameters. They refuse what would break the chain. */
export const surfnetMethods: Methods = {
  surfnet_timeTravel: (chain, params) => {
    timeTravel(chain, params.at(0, 'config'));
    return epochInfo(chain, chain.clock.slot);
  },
  surfnet_pauseClock: (chain) => {
    chain.pauseClock();
    return epochInfo(chain, chain.clock.slot);
  },
  surfnet_resumeClock: (chain) => {
    chain.resumeClock();
    return epochInfo(chain, chain.clock.slot);
  },
  surfnet_setAccount: (chain, params) => {
    const update = readAccountUpdate(params.at(1, 'update'));
    rangeErrorAsInvalidParams(() => chain.setAccount(params.at(0, 'pubkey').address(), update));
    return nullValue(chain);
  },
  surfnet_setTokenAccount: (chain, params) => {
    const update = readTokenUpdate(params.at(2, 'update'));
    const program = params.at(3, 'tokenProgram');
    rangeErrorAsInvalidParams(() =>
      chain.setTokenAccount(
        params.at(0, 'owner').address(),
        params.at(1, 'mint').address(),
        update,
        program.given ? program.address() : undefined,
      ),
    );
    return nullValue(chain);
  },
  surfnet_resetAccount: (chain, params) => {
    const address = params.at(0, 'pubkey').address();
    const includeOwned = params.at(1, 'config').member('includeOwnedAccounts');
    const owned = includeOwned.given && includeOwned.boolean() ? [...chain.accounts.ownedBy(address)] : [];
    // Surfpool copies the account from its remote network again. This chain has no other network, so it removes it.
    for (const [account] of [...owned, [address] as const])
      rangeErrorAsInvalidParams(() => chain.setAccount(account, { lamports: 0n }));
    return nullValue(chain);
  },
};

function timeTravel(chain: Localnet, config: Param): void {
  const timestamp = config.member('absoluteTimestamp');
  const epoch = config.member('absoluteEpoch');
  const slot = config.member('absoluteSlot');
  if (timestamp.given) {
    rangeErrorAsInvalidParams(() => chain.travelTo(new Date(Number(timestamp.u64()))));
    return;
  }
  if (!slot.given && !epoch.given) {
    throw config.wrong('an object with absoluteTimestamp (milliseconds), absoluteSlot or absoluteEpoch');
  }
  const target = slot.given ? slot.u64() : epoch.u64() * SLOTS_PER_EPOCH;
  rangeErrorAsInvalidParams(() => chain.advance({ slots: Number(target - chain.clock.slot) }));
}

/** Turns the chain's RangeError into an error response. */
function rangeErrorAsInvalidParams(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (error instanceof RangeError) throw invalidParams(error.message);
    throw error;
  }
}

function nullValue(chain: Localnet): unknown {
  return { context: { slot: chain.clock.slot, apiVersion: API_VERSION }, value: null };
}

function readAccountUpdate(update: Param): Partial<AccountState> {
  const [lamports, data, owner, executable] = [
    update.member('lamports'),
    update.member('data'),
    update.member('owner'),
    update.member('executable'),
  ];
  return {
    ...(lamports.given && { lamports: lamports.u64() }),
    ...(data.given && { data: readHex(data) }),
    ...(owner.given && { owner: owner.address() }),
    ...(executable.given && { executable: executable.boolean() }),
  };
}

function readHex(param: Param): Uint8Array {
  const text = param.string();
  if (!HEX.test(text)) throw param.wrong('bytes in hexadecimal');
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

function readTokenUpdate(update: Param): TokenAccountUpdate {
  const [amount, delegatedAmount, state] = [
    update.member('amount'),
    update.member('delegatedAmount'),
    update.member('state'),
  ];
  const [delegate, closeAuthority] = [update.member('delegate'), update.member('closeAuthority')];
  return {
    ...(amount.given && { amount: amount.u64() }),
    ...(delegatedAmount.given && { delegatedAmount: delegatedAmount.u64() }),
    ...(state.given && { state: state.oneOf(['initialized', 'frozen']) }),
    ...(delegate.given && { delegate: addressOrNone(delegate) }),
    ...(closeAuthority.given && { closeAuthority: addressOrNone(closeAuthority) }),
  };
}

/** The string "null" removes an authority; a missing or null member keeps it. */
function addressOrNone(param: Param): Address | null {
  return param.value === 'null' ? null : param.address();
}
