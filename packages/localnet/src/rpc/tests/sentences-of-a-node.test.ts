import { address } from '@solana/kit';
import { expect, test } from 'vitest';
import { createLocalnet } from '../../index.js';
import { dispatch } from '../dispatch.js';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../runtime/addresses.js';
import { SOL, signed, signer } from '../../tests/transactions.js';

// Clients compare these sentences: to many, "could not find account" is a balance of zero.

const payer = await signer(1);
const NOBODY = address('Nobody1111111111111111111111111111111111111');
const UNKNOWN = address('Unknown111111111111111111111111111111111111');
const EMPTY = address('Empty11111111111111111111111111111111111111');
const LOST = address('Lost111111111111111111111111111111111111111');
const chain = createLocalnet();
chain.airdrop(payer.address, SOL);
chain.setAccount(NOBODY, { lamports: SOL, data: Uint8Array.of(1, 2, 3), owner: SYSTEM_PROGRAM });
chain.setAccount(EMPTY, { lamports: SOL, data: new Uint8Array(82), owner: TOKEN_2022_PROGRAM });
// An account of a mint that does not exist.
const token = new Uint8Array(165);
token.set([1, 2, 3]);
token[108] = 1;
chain.setAccount(LOST, { lamports: SOL, data: token, owner: TOKEN_PROGRAM });
const wire = Buffer.from(await signed(chain, payer, [])).toString('base64');
const base64 = { encoding: 'base64' };

const ROWS: readonly (readonly [method: string, params: readonly unknown[], message: string])[] = [
  ['getTokenAccountBalance', [UNKNOWN], 'Invalid param: could not find account'],
  ['getTokenAccountBalance', [NOBODY], 'Invalid param: not a Token account'],
  ['getTokenAccountBalance', [LOST], 'Invalid param: could not find mint'],
  ['getTokenSupply', [UNKNOWN], 'Invalid param: could not find account'],
  ['getTokenSupply', [NOBODY], 'Invalid param: not a Token mint'],
  ['getTokenSupply', [EMPTY], 'Invalid param: mint could not be unpacked'],
  ['getTokenLargestAccounts', [UNKNOWN], 'Invalid param: could not find mint'],
  ['getTokenLargestAccounts', [NOBODY], 'Invalid param: Token mint could not be unpacked'],
  ...['getTokenAccountsByOwner', 'getTokenAccountsByDelegate'].flatMap((method) =>
    (
      [
        [{ mint: UNKNOWN }, 'Invalid param: could not find mint'],
        [{ mint: NOBODY }, 'Invalid param: Token mint could not be unpacked'],
        [{ programId: SYSTEM_PROGRAM }, 'Invalid param: unrecognized Token program id'],
      ] as const
    ).map(([filter, message]) => [method, [payer.address, filter], message] as const),
  ),
  ['getBalance', ['abc'], 'Invalid param: pubkey must be an address in base58'],
  ['getBalance', ['l'.repeat(100_000)], 'Invalid param: pubkey must be an address in base58'],
  ['getBalance', [5], 'Invalid params: pubkey must be an address in base58'],
  ['getTransaction', ['abc'], 'Invalid param: signature must be a signature in base58'],
  ['isBlockhashValid', ['abc'], 'Invalid param: blockhash must be a blockhash in base58'],
  ['isBlockhashValid', [5], 'Invalid params: blockhash must be a blockhash in base58'],
  ['getMultipleAccounts', [Array(101).fill(NOBODY)], 'Too many inputs provided; max 100'],
  ['getSignatureStatuses', [Array(257).fill('1')], 'Too many inputs provided; max 256'],
  ['getRecentPrioritizationFees', [Array(129).fill(NOBODY)], 'Too many inputs provided; max 128'],
  [
    'getProgramAccounts',
    [NOBODY, { filters: Array(5).fill({ dataSize: 1 }) }],
    'Too many filters provided; max 4',
  ],
  ['getSignaturesForAddress', [NOBODY, { limit: 1_001 }], 'Invalid limit; max 1000'],
  ['getSignaturesForAddress', [NOBODY, { limit: 0 }], 'Invalid limit; max 1000'],
  ['getRecentPerformanceSamples', [721], 'Invalid limit; max 720'],
  ['getSlotLeaders', [1, 5_001], 'Invalid limit; max 5000'],
  ['getBlocks', [0, 500_001], 'Slot range too large; max 500000'],
  ['getBlocksWithLimit', [0, 500_001], 'Limit too large; max 500000'],
  ...['getTransaction', 'getSignaturesForAddress'].map(
    (method) =>
      [
        method,
        [method === 'getTransaction' ? '1'.repeat(64) : NOBODY, { commitment: 'processed' }],
        'Method does not support commitment below `confirmed`',
      ] as const,
  ),
  [
    'simulateTransaction',
    [wire, { ...base64, sigVerify: true, replaceRecentBlockhash: true }],
    'sigVerify may not be used with replaceRecentBlockhash',
  ],
  [
    'simulateTransaction',
    [wire, { ...base64, accounts: { encoding: 'base58', addresses: [] } }],
    'base58 encoding not supported',
  ],
  [
    'simulateTransaction',
    [wire, { ...base64, accounts: { ...base64, addresses: Array(9).fill(NOBODY) } }],
    'Too many accounts provided; max 1',
  ],
];

// program#commitment-and-rpc-methods
test.each(ROWS)('%s of %j', (method, params, message) => {
  expect(dispatch(chain, { jsonrpc: '2.0', id: 1, method, params })).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32602, message },
  });
});
