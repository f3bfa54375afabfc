import {
  type Address,
  type Instruction,
  type KeyPairSigner,
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  ExtensionType,
  extension,
  getCreateAssociatedTokenInstructionAsync,
  getDisableCpiGuardInstruction,
  getEnableCpiGuardInstruction,
  getInitializeAccount3Instruction,
  getReallocateInstruction,
  getTokenSize,
  TOKEN_2022_PROGRAM_ADDRESS,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022';
import { describe, expect, it } from 'vitest';
import { sendInstructions, tokenAccountOf } from '@subrail/localnet';
import {
  createCheckout,
  createMintWith,
  freshTransaction,
  issueCheckout,
  openTestWorld,
  type OutsideActions,
  PRICE,
  statusAndCode,
  submitCheckout,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

let world: TestWorld;
let wallet: KeyPairSigner;

async function begin(options: TestWorldOptions = {}): Promise<void> {
  world = await openTestWorld(options);
  wallet = await world.wallet(10n * PRICE);
}

const send = (payer: KeyPairSigner, instructions: readonly Instruction[]) =>
  sendInstructions(world.rpc, payer, instructions);
const lamports = (amount: bigint) => world.localnet.setAccount(wallet.address, { lamports: amount });
const accountOf = (of: Address) => tokenAccountOf(world.token, of);

/** Turns the CPI guard of the wallet's token account on. */
async function guard(): Promise<void> {
  const token = await accountOf(wallet.address);
  const newExtensionTypes = [ExtensionType.CpiGuard];
  await send(wallet, [
    getReallocateInstruction({ token, payer: wallet, owner: wallet, newExtensionTypes }),
    getEnableCpiGuardInstruction({ token, owner: wallet }),
  ]);
}

/** Turns the CPI guard off. */
async function unguard(): Promise<void> {
  const token = await accountOf(wallet.address);
  await send(wallet, [getDisableCpiGuardInstruction({ token, owner: wallet })]);
}

/** Approves the wallet's authority, changes what is left of that, and turns the CPI guard on. */
async function guardAfter(change: (outside: OutsideActions) => Promise<void>): Promise<void> {
  const outside = await world.outside(wallet);
  await outside.reopenAuthority();
  await change(outside);
  await guard();
}

/** Moves all tokens of the wallet into another account of it, and returns that. */
async function moveAside(): Promise<Address> {
  const aside = await generateKeyPairSigner();
  const space = BigInt(getTokenSize());
  const rent = await world.rpc.getMinimumBalanceForRentExemption(space).send();
  const programAddress = TOKEN_PROGRAM;
  const { mint, decimals } = world.token;
  await send(wallet, [
    getCreateAccountInstruction({ payer: wallet, newAccount: aside, lamports: rent, space, programAddress }),
    getInitializeAccount3Instruction(
      { account: aside.address, mint, owner: wallet.address },
      { programAddress },
    ),
    getTransferCheckedInstruction(
      {
        ...{ source: await accountOf(wallet.address), mint, destination: aside.address, authority: wallet },
        ...{ amount: 10n * PRICE, decimals },
      },
      { programAddress },
    ),
  ]);
  return aside.address;
}

/** Makes the wallet's token account anew, after its issuer has every new one begin frozen. */
async function beginFrozen(): Promise<void> {
  await world.extendedToken.freezeNewAccounts();
  await (await world.outside(wallet)).closeTokenAccount();
  const { mint, program: tokenProgram = TOKEN_PROGRAM } = world.token;
  await send(wallet, [
    await getCreateAssociatedTokenInstructionAsync({
      ...{ payer: wallet, owner: wallet.address, mint, tokenProgram },
    }),
  ]);
}

interface Row {
  readonly what: string;
  readonly code: string;
  readonly options?: TestWorldOptions;
  readonly cause: () => Promise<unknown>;
  /** What the sentence says, apart from the code. */
  readonly says: RegExp;
  /** Does what the sentence advises. */
  readonly mend?: () => Promise<unknown>;
}

const EXTENDED = { token: 'extended' } as const;

/** What the reads of a checkout already show. A report of another one is a row. */
const ROWS: readonly Row[] = [
  {
    what: 'has no SOL',
    code: 'insufficient_lamports',
    cause: async () => lamports(0n),
    says: /^The wallet lacks 0\.00\d+ SOL: signing costs 0\.00\d+ SOL, and 0\.00\d+ SOL must stay in it\. Have the customer add as much/,
    mend: async () => lamports(1_000_000_000n),
  },
  {
    what: 'has SOL for the fee only',
    code: 'insufficient_lamports',
    cause: async () => lamports(900_000n),
    says: /^The wallet lacks 0\.00\d+ SOL/,
    mend: async () => lamports(1_000_000_000n),
  },
  {
    what: 'has fewer tokens than the price',
    code: 'insufficient_balance',
    cause: async () => world.take(wallet, 9n * PRICE + 1n),
    says: /^The wallet lacks 0\.000001 tokens of the \d+ tokens that the first charge takes\. Have the customer top it up/,
    mend: async () => world.give(wallet, 1n),
  },
  {
    what: 'has its tokens in another account than the associated one',
    code: 'insufficient_balance',
    cause: moveAside,
    says: /it has \d+ tokens in the account \w+, and only its associated token account is charged/,
    mend: async () => world.give(wallet, PRICE),
  },
  {
    what: 'has a frozen account',
    code: 'token_account_frozen',
    options: EXTENDED,
    cause: async () => world.extendedToken.freeze(wallet.address),
    says: /frozen.*issuer can thaw it/,
    mend: async () => world.extendedToken.thaw(wallet.address),
  },
  {
    what: 'has an account of a token whose accounts begin frozen',
    code: 'token_account_frozen',
    options: EXTENDED,
    cause: beginFrozen,
    says: /frozen.*issuer can thaw it/,
    mend: async () => {
      await world.extendedToken.thaw(wallet.address);
      await world.give(wallet, PRICE);
    },
  },
  {
    what: 'has its CPI guard on',
    code: 'token_account_guarded',
    options: EXTENDED,
    cause: guard,
    says: /CPI guard on.*turn it off/,
    mend: unguard,
  },
  {
    what: 'has its CPI guard on and closed its authority, whose approval stays',
    code: 'token_account_guarded',
    options: EXTENDED,
    cause: () => guardAfter((outside) => outside.closeAuthority()),
    says: /CPI guard on.*turn it off/,
    mend: unguard,
  },
  {
    what: 'has its CPI guard on and approves the price, and less than ten years of it',
    code: 'token_account_guarded',
    options: EXTENDED,
    cause: () => guardAfter((outside) => outside.approveLittle(10n * PRICE)),
    says: /CPI guard on.*turn it off/,
  },
  {
    what: 'gave its account away',
    code: 'token_account_reassigned',
    cause: async () => (await world.outside(wallet)).reassignTokenAccount(),
    says: /belongs to another wallet/,
  },
  {
    what: 'would pay in a paused token',
    code: 'mint_paused',
    options: EXTENDED,
    cause: async () => world.extendedToken.pause(),
    says: /issuer has paused/,
    mend: async () => world.extendedToken.resume(),
  },
  {
    what: 'would pay in a token that runs a program',
    code: 'mint_transfer_hook',
    options: EXTENDED,
    cause: async () => world.extendedToken.setHook(),
    says: /runs a program/,
    mend: async () => world.extendedToken.removeHook(),
  },
  {
    what: 'would pay to a frozen account',
    code: 'receiver_account_frozen',
    options: EXTENDED,
    cause: async () => world.extendedToken.freeze(world.owner.address),
    says: /receiver's account .* frozen/,
    mend: async () => world.extendedToken.thaw(world.owner.address),
  },
  {
    what: 'would pay to an account that wants memos',
    code: 'receiver_account_needs_memo',
    options: EXTENDED,
    cause: async () => world.extendedToken.requireMemos(),
    says: /without a memo/,
    mend: async () => world.extendedToken.allowNoMemos(),
  },
  {
    what: 'would pay to an account that takes confidential payments only',
    code: 'receiver_account_confidential_only',
    options: EXTENDED,
    cause: async () => world.extendedToken.refusePublicTransfers(),
    says: /confidential payments only/,
    mend: async () => world.extendedToken.allowPublicTransfers(),
  },
];

/** What the log says of a checkout that is refused at submit. */
const NOT_SENT = 'The chain would refuse the transaction of a checkout, so it was not sent.';

// checkout#wallet-that-cannot-pay, checkout#token-and-receiver, checkout#balance-for-the-first-charge
it.each(ROWS)(
  'a wallet that $what is refused before it signs, told the cause when it signed before, and can pay once that is mended',
  async ({ code, options, cause, says, mend }) => {
    await begin(options);
    const open = await issueCheckout(world, wallet);
    await cause();
    const created = await createCheckout(world, wallet, 'customer-2');
    expect([statusAndCode(created), created.body['message']]).toEqual([
      `409 ${code}`,
      expect.stringMatching(says) as string,
    ]);
    expect(statusAndCode(await freshTransaction(world, open))).toBe(`409 ${code}`);
    // Nothing was reserved for the customer who was refused.
    expect((await world.call('GET', '/subscriptions?external_id=customer-2')).body['data']).toEqual([]);

    const refused = await submitCheckout(world, wallet, open);
    expect(statusAndCode(refused)).toBe('409 transaction_refused');
    expect(refused.body['message']).not.toBe(
      'The chain would refuse this transaction. Nothing was sent; request a fresh one.',
    );
    const [line, ...others] = world.log.entries.filter(({ message }) => message === NOT_SENT);
    const facts: Readonly<Record<string, unknown>> = { ...line?.facts };
    expect([line?.level, facts, others]).toMatchObject([
      'info',
      { subscription: open.subscription.id, wallet: wallet.address },
      [],
    ]);
    expect(refused.body['message']).toContain(facts['cause']);
    if (mend === undefined) return;
    await mend();
    expect(statusAndCode(await submitCheckout(world, wallet, open))).toBe('201');
  },
);

// checkout#wallet-that-cannot-pay
it('subscribes with its CPI guard on while its authority is approved for long', async () => {
  await begin(EXTENDED);
  await guardAfter(() => Promise.resolve());
  expect(statusAndCode(await submitCheckout(world, wallet, await issueCheckout(world, wallet)))).toBe('201');
});

// plans#addresses-that-can-sign
describe('an address for which no wallet signs', () => {
  it.each<[string, () => Promise<Address>, string]>([
    [
      'off the curve',
      async () => {
        const seeds = [getAddressEncoder().encode(wallet.address)];
        return (await getProgramDerivedAddress({ programAddress: TOKEN_2022_PROGRAM_ADDRESS, seeds }))[0];
      },
      'it is off the curve, so no wallet has its key',
    ],
    ['of a token account', () => accountOf(wallet.address), 'name the wallet that owns it'],
    ['of a program', async () => TOKEN_2022_PROGRAM_ADDRESS, 'it is a program'],
  ])('%s can neither subscribe nor own a plan', async (_, addressOf, says) => {
    await begin();
    const noWallet = await addressOf();
    const created = await createCheckout(world, { ...wallet, address: noWallet });
    expect(statusAndCode(created)).toBe('400 invalid_request');
    expect(String(created.body['message'])).toContain(`"wallet" must be the address of a wallet, and it is`);
    expect(String(created.body['message'])).toContain(says);
    const plan = world.billing.project(world.projectId).plans.create({
      ...{ name: 'Other', owner: noWallet, mint: world.token.mint, amount: '1', period_hours: 24 },
    });
    await expect(plan).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(says) as string,
    });
  });
});

// plans#tokens-that-can-be-charged
describe('a plan in a token that no charge can move is refused', () => {
  const create = (mint: Address) =>
    world.billing.project(world.projectId).plans.create({
      ...{ name: 'Other', owner: world.owner.address, mint, amount: '1', period_hours: 24 },
    });

  it('when the token cannot be transferred', async () => {
    await begin();
    const mint = await createMintWith(world.rpc, world.owner, extension('NonTransferable', {}));
    await expect(create(mint)).rejects.toMatchObject({ code: 'mint_not_transferable' });
  });

  it('when every transfer of it runs a program', async () => {
    await begin(EXTENDED);
    await world.extendedToken.setHook();
    await expect(create(world.token.mint)).rejects.toMatchObject({ code: 'mint_transfer_hook' });
  });
});
