import { expect } from 'vitest';
import { SPL_TOKEN, TOKEN_2022, withAccount, withFlags } from '../instruction-builders.js';
import * as mints from '../mint-kinds.js';
import { SPL, approve, disapprove, setMint, setTokenAccount, token2022 } from '../token-setup.js';
import {
  A,
  B,
  EVERYTHING,
  MINT,
  NOT_CANONICAL,
  OTHER_MINT,
  SOL,
  SPONSOR,
  STRANGER,
  scenario,
} from '../fixtures.js';

/** The scenarios of authorities. */
export const authorityScenarios = [
  // program#init-subscription-authority, program#subscription-authority-layout, program#rent
  scenario(
    '#1 init creates the authority, 106 bytes of this slot, and approves it for an unlimited amount',
    (fixtures) => {
      const w = fixtures.bare();
      const before = w.lamports(A);
      w.ok(w.init());
      expect(w.authorityState()).toEqual({
        size: 106,
        discriminator: 0,
        user: A,
        mint: MINT,
        payer: A,
        bump: 255,
        initId: w.slot,
      });
      expect(w.lamports(w.authority())).toBe(1_188_720n);
      expect(w.lamports(A)).toBe(before - 1_188_720n);
      expect(w.tokenState(w.tokenAccount(A))).toMatchObject({
        delegate: w.authority(),
        delegatedAmount: EVERYTHING,
      });
    },
  ),

  // program#init-subscription-authority
  scenario(
    '#2 init of an authority paid for by a sponsor changes neither payer nor generation nor lamports',
    (fixtures) => {
      const w = fixtures.bare();
      w.ok(w.init({ payer: SPONSOR }));
      const created = w.authorityState();
      expect(created.payer).toBe(SPONSOR);
      w.advance(10n);
      const lamports = [A, SPONSOR, w.authority()].map((wallet) => w.lamports(wallet));
      w.ok(w.init());
      expect(w.authorityState()).toEqual(created);
      expect([A, SPONSOR, w.authority()].map((wallet) => w.lamports(wallet))).toEqual(lamports);
    },
  ),

  // program#token-approval
  scenario('#3 init after the approval was revoked approves again and keeps the generation', (fixtures) => {
    const w = fixtures.bare();
    w.ok(w.init());
    const created = w.authorityState();
    w.advance(10n);
    disapprove(w.chain, w.tokenAccount(A));
    expect(w.tokenState(w.tokenAccount(A)).delegate).toBeNull();
    w.ok(w.init());
    expect(w.tokenState(w.tokenAccount(A)).delegate).toBe(w.authority());
    expect(w.authorityState()).toEqual(created);
  }),

  scenario(
    '#4 init with a token account of A that is not the canonical one is refused with 108',
    (fixtures) => {
      const w = fixtures.bare();
      setTokenAccount(w.chain, {
        address: NOT_CANONICAL,
        mint: MINT,
        owner: A,
        amount: 1n,
        kind: SPL,
        isFrozen: false,
      });
      w.fails(108, w.init({ tokenAccount: NOT_CANONICAL }));
    },
  ),

  scenario('#5 init with a payer that did not sign is refused with 100', (fixtures) => {
    const w = fixtures.bare();
    w.fails(100, withFlags(w.init({ payer: SPONSOR }), 6, { isSigner: false }));
  }),

  scenario('#6 init with user, authority or token account read-only is refused with 131', (fixtures) => {
    const w = fixtures.bare();
    for (const place of [0, 1, 3]) w.fails(131, withFlags(w.init(), place, { isWritable: false }));
  }),

  scenario('#7 init of an SPL mint with the Token-2022 program is refused with 105', (fixtures) => {
    const w = fixtures.bare();
    w.fails(105, w.init({ tokenProgram: TOKEN_2022 }));
  }),

  // program#account-creation-and-closing
  scenario(
    '#8 init at an address that holds lamports tops it up to rent, or keeps the surplus',
    (fixtures) => {
      const short = fixtures.bare();
      short.setLamports(short.authority(), 1n);
      const before = short.lamports(A);
      short.ok(short.init());
      expect(short.lamports(short.authority())).toBe(1_188_720n);
      expect(short.lamports(A)).toBe(before - 1_188_719n);
      expect(short.authorityState().initId).toBe(short.slot);

      const rich = fixtures.bare();
      rich.setLamports(rich.authority(), 5_000_000n);
      const untouched = rich.lamports(A);
      rich.ok(rich.init());
      expect(rich.lamports(rich.authority())).toBe(5_000_000n);
      expect(rich.lamports(A)).toBe(untouched);
      expect(rich.authorityState().user).toBe(A);
    },
  ),

  scenario('#9 init works for Token-2022 mints whatever their extensions', (fixtures) => {
    for (const kind of [
      mints.PLAIN_2022,
      mints.WITH_FEE,
      mints.WITH_ACTIVE_HOOK,
      mints.WITH_ZERO_HOOK,
      mints.PAUSABLE,
      mints.PAUSED,
      mints.NON_TRANSFERABLE,
      mints.FROZEN_BY_DEFAULT,
      mints.WITH_PERMANENT_DELEGATE,
      mints.CLOSEABLE,
    ]) {
      const w = fixtures.bare(kind);
      w.ok(w.init());
      expect(w.authorityState()).toMatchObject({ user: A, mint: MINT });
      expect(w.tokenState(w.tokenAccount(A))).toMatchObject({
        delegate: w.authority(),
        delegatedAmount: EVERYTHING,
      });
    }
  }),

  scenario("#10 a stranger who closes A's authority is refused with 130", (fixtures) => {
    const w = fixtures.bare();
    w.ok(w.init());
    w.fails(130, w.closeAuthority({ user: STRANGER, authority: w.authority() }));
  }),

  // program#close-subscription-authority, program#token-approval
  scenario(
    '#11 A closes an authority that A paid for and gets its lamports; the delegate stays named',
    (fixtures) => {
      const w = fixtures.bare();
      const before = w.lamports(A);
      w.ok(w.init());
      w.ok(w.closeAuthority());
      expect(w.exists(w.authority())).toBe(false);
      expect(w.lamports(A)).toBe(before);
      expect(w.tokenState(w.tokenAccount(A)).delegate).toBe(w.authority());
    },
  ),

  // program#roles-and-permissions
  scenario(
    '#12 closing a sponsored authority without a receiver is refused with 113, with another one 130; the sponsor gets the rent',
    (fixtures) => {
      const w = fixtures.bare();
      w.ok(w.init({ payer: SPONSOR }));
      w.fails(113, w.closeAuthority());
      w.fails(130, w.closeAuthority({ receiver: B }));
      w.fails(131, withFlags(w.closeAuthority({ receiver: SPONSOR }), 2, { isWritable: false }));
      w.ok(w.closeAuthority({ receiver: SPONSOR }));
      expect(w.exists(w.authority())).toBe(false);
      expect(w.lamports(SPONSOR)).toBe(10n * SOL);
    },
  ),

  // program#revoke-subscription-authority
  scenario('#13 revoke_subscription_authority clears the delegate and closes the authority', (fixtures) => {
    const w = fixtures.bare();
    w.ok(w.init());
    w.ok(w.revokeAuthority());
    expect(w.tokenState(w.tokenAccount(A))).toMatchObject({ delegate: null, delegatedAmount: 0n });
    expect(w.exists(w.authority())).toBe(false);
  }),

  scenario(
    '#14 revoke_subscription_authority clears the delegate also after the authority was closed',
    (fixtures) => {
      const w = fixtures.bare();
      w.ok(w.init());
      w.ok(w.closeAuthority());
      w.ok(w.revokeAuthority());
      expect(w.tokenState(w.tokenAccount(A)).delegate).toBeNull();
    },
  ),

  scenario(
    "#15 revoke_subscription_authority leaves a third party's approval and closes the authority",
    (fixtures) => {
      const w = fixtures.bare();
      w.ok(w.init());
      approve(w.chain, w.tokenAccount(A), STRANGER, 5n);
      w.ok(w.revokeAuthority());
      expect(w.tokenState(w.tokenAccount(A))).toMatchObject({ delegate: STRANGER, delegatedAmount: 5n });
      expect(w.exists(w.authority())).toBe(false);
    },
  ),

  scenario(
    '#16 revoke_subscription_authority refuses another authority with 103, an account of another mint 125, one of 100 bytes 107',
    (fixtures) => {
      const w = fixtures.bare();
      w.ok(w.init());
      w.fails(103, w.revokeAuthority({ authority: w.authority(B) }));

      setMint(w.chain, { address: OTHER_MINT, authority: B, kind: SPL, isInitialized: true });
      w.setAssociated(A, { amount: 1n, mint: OTHER_MINT });
      w.fails(125, w.revokeAuthority({ tokenAccount: w.tokenAccount(A, OTHER_MINT) }));

      const t = fixtures.bare(token2022());
      t.ok(t.init());
      const at = t.tokenAccount(A);
      t.chain.write(at, { ...t.chain.read(at), data: t.data(at).slice(0, 100) });
      t.fails(107, t.revokeAuthority());
    },
  ),

  scenario('#17 revoke_subscription_authority without delegate and authority changes nothing', (fixtures) => {
    const w = fixtures.bare();
    const state = w.chain.read(w.tokenAccount(A));
    w.ok(w.revokeAuthority());
    expect(w.chain.read(w.tokenAccount(A))).toEqual(state);
    expect(w.exists(w.authority())).toBe(false);
    expect(w.lamports(A)).toBe(10n * SOL);
  }),

  // program#init-subscription-authority, program#non-transferable-mints-and-cpi-guard,
  // program#frozen-accounts-and-paused-mints
  scenario(
    'init with a frozen account is refused with 17, with a CPI guard with 45, and creates no authority',
    (fixtures) => {
      const w = fixtures.bare();
      w.setAssociated(A, { amount: 1n, isFrozen: true });
      w.fails(17, w.init());

      const guarded = fixtures.bare(token2022());
      const kind = mints.withAccountExtension(guarded.kind, { __kind: 'CpiGuard', lockCpi: true });
      guarded.setAssociated(A, { amount: 1n, kind });
      guarded.fails(45, guarded.init());
      expect(guarded.exists(guarded.authority())).toBe(false);
    },
  ),

  // program#init-subscription-authority
  scenario(
    "init with another wallet's token account is refused with 130, with another mint's with 125",
    (fixtures) => {
      const w = fixtures.bare();
      w.giveTokens(B, 1n);
      w.fails(130, w.init({ tokenAccount: w.tokenAccount(B) }));
      setMint(w.chain, { address: OTHER_MINT, authority: B, kind: SPL, isInitialized: true });
      w.setAssociated(A, { amount: 1n, mint: OTHER_MINT });
      w.fails(125, w.init({ tokenAccount: w.tokenAccount(A, OTHER_MINT) }));
      w.fails(103, w.init({ authority: w.authority(B) }));
    },
  ),

  // program#init-subscription-authority
  scenario(
    'init without token account or mint is refused with 110 or 109, without user signature with 100',
    (fixtures) => {
      const w = fixtures.bare();
      w.fails(100, withFlags(w.init(), 0, { isSigner: false }));
      w.fails(104, withAccount(w.init(), 4, SPL_TOKEN));
      w.remove(w.tokenAccount(A));
      w.fails(110, w.init());
      w.remove(MINT);
      w.fails(109, w.init());
    },
  ),
];
