import type { Address } from '@solana/kit';
import type { ExtensionArgs } from '@solana-program/token-2022';
import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../program/addresses.js';
import { HOUR, LocalWorld, PRICE, owner, receiver, token2022, wallet } from './local-world.js';
import { key } from './charge-view.js';

const ONE_PERCENT = { epoch: 0n, maximumFee: 2n ** 64n - 1n, transferFeeBasisPoints: 100 };
const WITH_FEE = token2022(
  [
    {
      __kind: 'TransferFeeConfig',
      transferFeeConfigAuthority: owner.address,
      withdrawWithheldAuthority: owner.address,
      withheldAmount: 0n,
      olderTransferFee: ONE_PERCENT,
      newerTransferFee: ONE_PERCENT,
    },
  ],
  [{ __kind: 'TransferFeeAmount', withheldAmount: 0n }],
);
const pausable = (paused: boolean): ExtensionArgs => ({
  __kind: 'PausableConfig',
  authority: owner.address,
  paused,
});
const PAUSABLE = token2022([pausable(false)], [{ __kind: 'PausableAccount' }]);
const hooked = (programId: Address) =>
  token2022(
    [{ __kind: 'TransferHook', authority: owner.address, programId }],
    [{ __kind: 'TransferHookAccount', transferring: false }],
  );

/** A token account that accepts only confidential transfers. */
const CONFIDENTIAL_ONLY: ExtensionArgs = {
  __kind: 'ConfidentialTransferAccount',
  approved: true,
  elgamalPubkey: owner.address,
  pendingBalanceLow: new Uint8Array(64),
  pendingBalanceHigh: new Uint8Array(64),
  availableBalance: new Uint8Array(64),
  decryptableAvailableBalance: new Uint8Array(36),
  allowConfidentialCredits: true,
  allowNonConfidentialCredits: false,
  pendingBalanceCreditCounter: 0n,
  maximumPendingBalanceCreditCounter: 65_536n,
  expectedPendingBalanceCreditCounter: 0n,
  actualPendingBalanceCreditCounter: 0n,
};

async function subscribed(kind = token2022()): Promise<LocalWorld> {
  const world = await LocalWorld.open(kind);
  expect(await world.land(await world.firstPayment())).toMatchObject({ kind: 'landed' });
  world.net.advance({ seconds: HOUR });
  return world;
}

// program#token-2022-extensions
describe('Token-2022', () => {
  it('charges as the classic program does', async () => {
    const world = await subscribed();
    expect(await world.land(await world.charge())).toMatchObject({ kind: 'landed', received: PRICE });
  });

  // attempts#amount-received
  // program#transfer-fees
  it('reports less received than was charged for a mint with a transfer fee', async () => {
    const world = await subscribed(WITH_FEE);
    expect(await world.land(await world.charge())).toMatchObject({
      kind: 'landed',
      received: (PRICE * 99n) / 100n,
    });
    expect((await world.view()).subscription?.pulled).toBe(PRICE);
  });

  // program#frozen-accounts-and-paused-mints
  it('reads a paused mint, which refuses every payment (67)', async () => {
    const world = await subscribed(PAUSABLE);
    expect((await world.view()).mint?.paused).toBe(false);
    world.setMint([pausable(true)]);
    expect((await world.view()).mint?.paused).toBe(true);
    expect(await world.land(await world.charge())).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'program', code: 67 },
    });
  });

  // program#transfer-hooks
  it('reads a hook without a program as none, and charges', async () => {
    const world = await subscribed(hooked(SYSTEM_PROGRAM));
    expect((await world.view()).mint?.hookProgram).toBeNull();
    expect(await world.land(await world.charge())).toMatchObject({ kind: 'landed' });
  });

  // program#transfer-hooks
  it('reads a hook that was set after the signup', async () => {
    const world = await subscribed(hooked(SYSTEM_PROGRAM));
    world.setMint(hooked(key(8)).mint);
    expect((await world.view()).mint?.hookProgram).toBe(key(8));
    expect(await world.land(await world.charge())).toMatchObject({ kind: 'failed' });
  });

  // program#memo-and-confidential-receivers
  it.each([
    [
      'requires memos',
      { needsMemo: true },
      36,
      { __kind: 'MemoTransfer', requireIncomingTransferMemos: true },
    ],
    ['takes only confidential credits', { confidentialOnly: true }, 49, CONFIDENTIAL_ONLY],
  ] as const)('reads a receiver that %s', async (_, seen, code, extension) => {
    const world = await subscribed();
    await world.setTokenAccount(receiver.address, { extensions: [extension] });
    expect((await world.view()).receiver).toMatchObject(seen);
    expect(await world.land(await world.charge())).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'program', code },
    });
  });

  // program#frozen-accounts-and-paused-mints
  it('reads a frozen receiver and a frozen wallet (17)', async () => {
    const world = await subscribed();
    await world.setTokenAccount(receiver.address, { frozen: true });
    expect((await world.view()).receiver?.frozen).toBe(true);
    expect((await world.view()).source?.frozen).toBe(false);
    expect(await world.land(await world.charge())).toMatchObject({ refusal: { kind: 'program', code: 17 } });
    await world.setTokenAccount(wallet.address, { frozen: true });
    expect((await world.view()).source?.frozen).toBe(true);
  });

  // program#source-and-receiver-accounts
  it('reads a token account that now has another owner, and cannot charge it (130)', async () => {
    const world = await subscribed();
    await world.changeSource((data) => data.set(new Uint8Array(32).fill(8), 32));
    expect((await world.view()).source?.owner).toBe(key(8));
    expect(await world.land(await world.charge())).toMatchObject({ refusal: { kind: 'program', code: 130 } });
  });

  // program#non-transferable-mints-and-cpi-guard
  it('cannot pay from a non-transferable mint (37)', async () => {
    const world = await LocalWorld.open(
      token2022([{ __kind: 'NonTransferable' }], [{ __kind: 'NonTransferableAccount' }]),
    );
    expect(await world.land(await world.firstPayment())).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'program', code: 37 },
    });
  });

  // program#non-transferable-mints-and-cpi-guard
  it('cannot sign up a wallet whose CPI guard is on', async () => {
    const world = await LocalWorld.open(token2022());
    const guard: ExtensionArgs = { __kind: 'CpiGuard', lockCpi: true };
    await world.setTokenAccount(wallet.address, { amount: 10n * PRICE, extensions: [guard] });
    expect(await world.land(await world.firstPayment())).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'chain', code: 4615026 },
    });
    expect((await world.view()).subscription).toBeNull();
  });

  it('reads a mint that is gone as missing (109)', async () => {
    const world = await subscribed();
    world.net.setAccount(key(6), { lamports: 0n });
    expect((await world.view()).mint).toBeNull();
    expect(await world.land(await world.charge())).toMatchObject({ refusal: { kind: 'program', code: 109 } });
  });
});
