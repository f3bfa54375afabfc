import { type Address, address } from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { describe, expect, it } from 'vitest';
import {
  SUBSCRIPTIONS_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  createAddresses,
} from '../program/addresses.js';
import { charger } from '../tests/chain-on.js';
import { key } from '../tests/charge-view.js';
import { addressKind } from './address-kind.js';

const ownedBy = (owner: string) => ({ owner: address(owner), data: new Uint8Array() });
const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const NATIVE_LOADER = 'NativeLoader1111111111111111111111111111111';
const wallet: Address = charger.address;
const [vault] = await createAddresses().plan(wallet, 1n);

// plans#addresses-that-can-receive
describe('the kind of an address', () => {
  it.each([
    SYSTEM_PROGRAM,
    'SysvarRent111111111111111111111111111111111',
    'SysvarRecentB1ockHashes11111111111111111111',
    'Sysvar1nstructions1111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
    'Stake11111111111111111111111111111111111111',
    'ComputeBudget111111111111111111111111111111',
    'AddressLookupTab1e1111111111111111111111111',
    'Ed25519SigVerify111111111111111111111111111',
    'Secp256r1SigVerify1111111111111111111111111',
    '1nc1nerator11111111111111111111111111111111',
    UPGRADEABLE_LOADER,
    NATIVE_LOADER,
  ])('is the chain’s own at %s, with an account or without one', (reserved) => {
    expect(addressKind(address(reserved), null)).toBe('program');
    expect(addressKind(address(reserved), ownedBy(NATIVE_LOADER))).toBe('program');
  });

  it.each([SUBSCRIPTIONS_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM_ADDRESS, wallet])(
    'is a program at %s when a loader owns the account',
    (program) => {
      expect(addressKind(program, ownedBy(UPGRADEABLE_LOADER))).toBe('program');
    },
  );

  it('is a token for what a token program owns, on the curve or off it', () => {
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM_ADDRESS])
      for (const account of [wallet, vault]) expect(addressKind(account, ownedBy(program))).toBe('token');
  });

  it('is a wallet on the curve: unused, with lamports, or assigned to a program', () => {
    for (const account of [null, ownedBy(SYSTEM_PROGRAM), ownedBy(key(9))])
      expect(addressKind(wallet, account)).toBe('wallet');
  });

  it('is off the curve where no key can exist, with an account or without one', () => {
    for (const account of [null, ownedBy(SYSTEM_PROGRAM), ownedBy(SUBSCRIPTIONS_PROGRAM)])
      expect(addressKind(vault, account)).toBe('off_curve');
  });
});
