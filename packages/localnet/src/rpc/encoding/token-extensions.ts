import { toAddress } from '../../runtime/base58.js';
import { readExtensions } from '../../runtime/token-layout.js';

type Reader = (value: DataView) => { readonly extension: string; readonly state?: object };

/** The extensions of a Token-2022 mint or account as `jsonParsed` shows them. */
export function parseExtensions(data: Uint8Array): readonly object[] {
  return readExtensions(data).entries.map(([type, { buffer, byteOffset, length }]) => {
    const value = new DataView(buffer, byteOffset, length);
    return READERS[type]?.(value) ?? { extension: 'unparseableExtension' };
  });
}

const READERS: Readonly<Record<number, Reader>> = {
  1: (value) => ({
    extension: 'transferFeeConfig',
    state: {
      transferFeeConfigAuthority: addressOrNull(value, 0),
      withdrawWithheldAuthority: addressOrNull(value, 32),
      withheldAmount: value.getBigUint64(64, true),
      olderTransferFee: transferFee(value, 72),
      newerTransferFee: transferFee(value, 90),
    },
  }),
  2: (value) => ({ extension: 'transferFeeAmount', state: { withheldAmount: value.getBigUint64(0, true) } }),
  3: (value) => ({ extension: 'mintCloseAuthority', state: { closeAuthority: addressOrNull(value, 0) } }),
  6: (value) => ({
    extension: 'defaultAccountState',
    state: { accountState: ACCOUNT_STATES[value.getUint8(0)] ?? 'uninitialized' },
  }),
  7: () => ({ extension: 'immutableOwner' }),
  8: (value) => ({
    extension: 'memoTransfer',
    state: { requireIncomingTransferMemos: value.getUint8(0) === 1 },
  }),
  9: () => ({ extension: 'nonTransferable' }),
  11: (value) => ({ extension: 'cpiGuard', state: { lockCpi: value.getUint8(0) === 1 } }),
  12: (value) => ({ extension: 'permanentDelegate', state: { delegate: addressOrNull(value, 0) } }),
  13: () => ({ extension: 'nonTransferableAccount' }),
  14: (value) => ({
    extension: 'transferHook',
    state: { authority: addressOrNull(value, 0), programId: addressOrNull(value, 32) },
  }),
  15: (value) => ({ extension: 'transferHookAccount', state: { transferring: value.getUint8(0) === 1 } }),
  18: (value) => ({
    extension: 'metadataPointer',
    state: { authority: addressOrNull(value, 0), metadataAddress: addressOrNull(value, 32) },
  }),
  26: (value) => ({
    extension: 'pausableConfig',
    state: { authority: addressOrNull(value, 0), paused: value.getUint8(32) === 1 },
  }),
  27: () => ({ extension: 'pausableAccount' }),
};

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'];

function transferFee(value: DataView, at: number): object {
  return {
    epoch: value.getBigUint64(at, true),
    maximumFee: value.getBigUint64(at + 8, true),
    transferFeeBasisPoints: value.getUint16(at + 16, true),
  };
}

/** An address, or null for zeros. */
function addressOrNull(value: DataView, at: number): string | null {
  const bytes = new Uint8Array(value.buffer, value.byteOffset + at, 32);
  return bytes.every((byte) => byte === 0) ? null : toAddress(bytes);
}
