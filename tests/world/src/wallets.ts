import {
  AccountRole,
  type Address,
  type Blockhash,
  type Instruction,
  type KeyPairSigner,
  type ReadonlyUint8Array,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getAddressEncoder,
  getBase58Decoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
} from '@solana/kit';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getRequestHeapFrameInstruction,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
  getSetLoadedAccountsDataSizeLimitInstruction,
} from '@solana-program/compute-budget';
import { InstructionFailure, type Program } from '@subrail/localnet';

/** What a wallet does to a transaction that it is asked to sign, before it signs it. */
export interface Wallet {
  readonly name: string;
  readonly changes: (instructions: readonly Instruction[], wallet: Address) => readonly Instruction[];
  /** Whether it puts in a blockhash that it read itself. */
  readonly readsBlockhash?: true;
}

const LIGHTHOUSE = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
const MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const MEMO_1 = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');

/** The error of Lighthouse when what a guard asserts does not hold. */
export const ASSERTION_FAILED = 0x1900;

/**
 * Stands for Lighthouse, with one of its assertions: that an account has at least as many lamports as the
 * data says. Like the real one it only reads.
 */
const lighthouse: Program = (context) => {
  const { data } = context;
  const least = new DataView(data.buffer, data.byteOffset).getBigUint64(0, true);
  const [account] = context.accounts;
  if (account === undefined || context.read(account.address).lamports < least)
    throw new InstructionFailure({ Custom: ASSERTION_FAILED });
};

/** The programs that wallets call, and that a local chain does not have by itself. */
export const WALLET_PROGRAMS: ReadonlyMap<Address, Program> = new Map([[LIGHTHOUSE, lighthouse]]);

/** A guard: the transaction fails when the account has fewer lamports then. */
export function guard(account: Address, least: bigint): Instruction {
  const data = new Uint8Array(8);
  new DataView(data.buffer).setBigUint64(0, least, true);
  return { programAddress: LIGHTHOUSE, accounts: [{ address: account, role: AccountRole.READONLY }], data };
}

/** A note, signed by the wallet when it is named. */
export function memo(text: string, signer?: Address, programAddress: Address = MEMO): Instruction {
  const accounts = signer === undefined ? [] : [{ address: signer, role: AccountRole.READONLY_SIGNER }];
  return { programAddress, accounts, data: new TextEncoder().encode(text) };
}

const isBudget = ({ programAddress }: Instruction) => programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS;
/** The instructions without those of the compute budget. */
export const withoutBudget = (instructions: readonly Instruction[]) =>
  instructions.filter((one) => !isBudget(one));

/** How many instructions a wallet puts before the payment follows those of the compute budget. */
const afterBudget = (instructions: readonly Instruction[], added: readonly Instruction[]) => [
  ...instructions.filter(isBudget),
  ...added,
  ...withoutBudget(instructions),
];

/** How wallets change what they sign. A report of another one is a row. */
export const WALLETS: readonly Wallet[] = [
  { name: 'signs it as it is', changes: (instructions) => instructions },
  {
    // Phantom, on mainnet in August 2026.
    name: 'puts three guards before the payment and one after it',
    changes: (instructions, wallet) => [
      ...afterBudget(
        instructions,
        [1n, 2n, 3n].map((least) => guard(wallet, least)),
      ),
      guard(wallet, 4n),
    ],
  },
  {
    // Phantom until 2026, and Solflare.
    name: 'puts two guards after the payment',
    changes: (instructions, wallet) => [...instructions, guard(wallet, 1n), guard(wallet, 2n)],
  },
  {
    // Seed Vault, below 100,000 micro-lamports.
    name: 'raises the price that was built',
    changes: (instructions) => [
      ...instructions.filter(isBudget).slice(0, 1),
      getSetComputeUnitPriceInstruction({ microLamports: 100_000n }),
      ...withoutBudget(instructions),
    ],
  },
  {
    name: 'puts its own limit and price in the place of those that were built',
    changes: (instructions) => [
      getSetComputeUnitLimitInstruction({ units: 180_000 }),
      getSetComputeUnitPriceInstruction({ microLamports: 20_000n }),
      ...withoutBudget(instructions),
    ],
  },
  {
    name: 'puts its own price behind everything',
    changes: (instructions) => [
      ...withoutBudget(instructions),
      getSetComputeUnitPriceInstruction({ microLamports: 20_000n }),
    ],
  },
  { name: 'leaves limit and price out', changes: withoutBudget },
  {
    name: 'puts a heap and a limit of loaded data before everything',
    changes: (instructions) => [
      getRequestHeapFrameInstruction({ bytes: 65_536 }),
      getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit: 8 * 1024 * 1024 }),
      ...instructions,
    ],
  },
  { name: 'adds a memo', changes: (instructions) => [...instructions, memo('Sent with a wallet')] },
  {
    name: 'adds a memo that it signs, and one of the first memo program',
    changes: (instructions, wallet) => [
      memo('Signed', wallet),
      ...instructions,
      memo('Sent with a wallet', undefined, MEMO_1),
    ],
  },
  {
    // OneKey, after a hardware wallet took long.
    name: 'puts a newer blockhash in',
    readsBlockhash: true,
    changes: (instructions) => instructions,
  },
  {
    name: 'does all of it at once',
    readsBlockhash: true,
    changes: (instructions, wallet) => [
      getRequestHeapFrameInstruction({ bytes: 65_536 }),
      getSetComputeUnitPriceInstruction({ microLamports: 20_000n }),
      guard(wallet, 1n),
      ...withoutBudget(instructions),
      guard(wallet, 2n),
      memo('Sent with a wallet', wallet),
    ],
  },
];

/** How a wallet signs a text that it is shown, and what its app hands over. */
export interface TextWallet {
  readonly name: string;
  readonly signs: (signer: KeyPairSigner, text: string) => Promise<SignedTerms>;
}

/** The fields of a submit that have the wallet's signature of the terms. */
export interface SignedTerms {
  readonly terms_signature: string;
  readonly terms_signed_message?: string;
}

const base58 = getBase58Decoder();
const base64 = getBase64Decoder();

async function signed(signer: KeyPairSigner, message: ReadonlyUint8Array): Promise<ReadonlyUint8Array> {
  return signBytes(signer.keyPair.privateKey, message);
}

const joined = (...parts: readonly ReadonlyUint8Array[]) =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const bytesOf = (text: string) => new TextEncoder().encode(text);
/** What an envelope begins with: a byte that begins no transaction, and a name. */
const SIGNING_DOMAIN = Uint8Array.of(0xff, ...bytesOf('solana offchain'));

/** The envelope of version 0 around a text. `format`: 0 printable ASCII, 1 UTF-8, 2 long UTF-8. */
export function envelopeOf(
  signers: readonly Address[],
  text: string,
  format: 0 | 1 | 2,
  domain: number,
): ReadonlyUint8Array {
  const content = bytesOf(text);
  return joined(
    ...[SIGNING_DOMAIN, Uint8Array.of(0), new Uint8Array(32).fill(domain)],
    Uint8Array.of(format, signers.length),
    ...signers.map((signer) => getAddressEncoder().encode(signer)),
    ...[Uint8Array.of(content.length & 0xff, content.length >> 8), content],
  );
}

/** The envelope of version 1 around a text. */
function envelopeOfVersion1(signer: Address, text: string): ReadonlyUint8Array {
  return joined(SIGNING_DOMAIN, Uint8Array.of(1, 1), getAddressEncoder().encode(signer), bytesOf(text));
}

/** The envelope of version 1 as it was drafted, with the length of the text before it. */
export function envelopeOfDraft1(signer: Address, text: string): Uint8Array {
  const { length } = bytesOf(text);
  const header = envelopeOfVersion1(signer, '');
  return joined(header, Uint8Array.of(length & 0xff, length >> 8), bytesOf(text));
}

/** The first form of version 0, which has neither a domain nor signers. */
function shortEnvelopeOf(text: string): ReadonlyUint8Array {
  const content = bytesOf(text);
  return joined(SIGNING_DOMAIN, Uint8Array.of(0, 1, content.length & 0xff, content.length >> 8), content);
}

/** Signs an envelope, and hands over the signature alone, or what was signed as well. */
const inEnvelope =
  (around: (signer: Address, text: string) => ReadonlyUint8Array, says: boolean): TextWallet['signs'] =>
  async (signer, text) => {
    const message = around(signer.address, text);
    const terms_signature = base58.decode(await signed(signer, message));
    return says ? { terms_signature, terms_signed_message: base64.decode(message) } : { terms_signature };
  };

/** How wallets sign the terms. A report of another one is a row. */
export const TEXT_WALLETS: readonly TextWallet[] = [
  {
    name: 'signs the bare text',
    signs: async (signer, text) => ({ terms_signature: base58.decode(await signed(signer, bytesOf(text))) }),
  },
  {
    name: 'hands the signature over in base64',
    signs: async (signer, text) => ({ terms_signature: base64.decode(await signed(signer, bytesOf(text))) }),
  },
  {
    name: 'hands the signature over in base64 of addresses, without padding',
    signs: async (signer, text) => {
      const signature = base64.decode(await signed(signer, bytesOf(text)));
      return { terms_signature: signature.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') };
    },
  },
  {
    // Wallet Standard: `signedMessage` and `signature`.
    name: 'says that it signed the bare text',
    signs: async (signer, text) => ({
      terms_signature: base58.decode(await signed(signer, bytesOf(text))),
      terms_signed_message: base64.decode(bytesOf(text)),
    }),
  },
  {
    // Mobile Wallet Adapter: what was signed, and then the signature.
    name: 'hands the text and its signature over joined',
    signs: async (signer, text) => ({
      terms_signature: base64.decode(joined(bytesOf(text), await signed(signer, bytesOf(text)))),
    }),
  },
  {
    name: 'hands an envelope and its signature over joined, in base58',
    signs: async (signer, text) => {
      const message = envelopeOf([signer.address], text, 1, 0);
      return { terms_signature: base58.decode(joined(message, await signed(signer, message))) };
    },
  },
  {
    // The envelope of a signed off-chain message: the number of signatures, the signatures, the message.
    name: 'hands the signed envelope over',
    signs: async (signer, text) => {
      const message = envelopeOfVersion1(signer.address, text);
      return {
        terms_signature: base64.decode(joined(Uint8Array.of(1), await signed(signer, message), message)),
      };
    },
  },
  {
    // Ledger, by way of the wallets that connect it.
    name: 'signs an envelope without a domain, and does not say so',
    signs: inEnvelope((signer, text) => envelopeOf([signer], text, 1, 0), false),
  },
  {
    name: 'signs an envelope of long text without a domain',
    signs: inEnvelope((signer, text) => envelopeOf([signer], text, 2, 0), false),
  },
  {
    name: 'signs an envelope with a domain, and says so',
    signs: inEnvelope((signer, text) => envelopeOf([signer], text, 1, 7), true),
  },
  {
    // Ledger since its app takes line breaks for ASCII, so that the text can be read on the device.
    name: 'signs an envelope of ASCII with line breaks',
    signs: inEnvelope((signer, text) => envelopeOf([signer], text, 0, 0), false),
  },
  {
    name: 'hands over a signed envelope of ASCII with line breaks and a domain, in base58',
    signs: async (signer, text) => {
      const message = envelopeOf([signer.address], text, 0, 7);
      return {
        terms_signature: base58.decode(joined(Uint8Array.of(1), await signed(signer, message), message)),
      };
    },
  },
  {
    // Ledger's app when it first knew version 1.
    name: 'signs an envelope of version 1 with the length of the text',
    signs: inEnvelope(envelopeOfDraft1, false),
  },
  {
    // Trezor, and the newer apps of Ledger.
    name: 'signs an envelope of version 1',
    signs: inEnvelope(envelopeOfVersion1, false),
  },
  {
    // Solana's command line, and older apps of Ledger.
    name: 'signs the short envelope',
    signs: inEnvelope((_, text) => shortEnvelopeOf(text), false),
  },
];

/** A transaction as a wallet signs it: changed, and then signed. */
export async function signAs(
  { changes, readsBlockhash }: Pick<Wallet, 'changes' | 'readsBlockhash'>,
  signer: KeyPairSigner,
  built: string,
  latestBlockhash: () => Promise<Blockhash>,
): Promise<string> {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(built));
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const { instructions } = decompileTransactionMessage(compiled);
  const blockhash =
    readsBlockhash === true ? await latestBlockhash() : (compiled as { lifetimeToken: string }).lifetimeToken;
  const transaction = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(signer.address, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
          message,
        ),
      (message) => appendTransactionMessageInstructions(changes(instructions, signer.address), message),
    ),
  );
  return getBase64EncodedWireTransaction(await partiallySignTransaction([signer.keyPair], transaction));
}
