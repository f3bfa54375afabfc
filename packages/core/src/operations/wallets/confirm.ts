import type { WalletAction, WalletConfirmation, WalletConfirmBody } from '../../contract/wallet.js';
import { isCharged } from '../../rules/running.js';
import type { Service } from '../../service.js';
import { CANCEL } from '../actions/cancel.js';
import { CLOSE } from '../actions/close.js';
import { type ActionConfirmation, confirmAction } from '../actions/confirm-action.js';
import { RESUME } from '../actions/resume.js';
import { requireWalletSubscription, describeForWallet } from './list.js';

/** The confirmations of actions by transactions that the service did not build. */
const CONFIRMATIONS: Readonly<Record<WalletAction, ActionConfirmation>> = {
  cancel: { ...CANCEL, ofAnyTransaction: true },
  resume: { ...RESUME, ofAnyTransaction: true, isDone: ({ status }) => isCharged(status) },
  close: { ...CLOSE, ofAnyTransaction: true },
};

/**
 * Waits until the chain shows what a wallet did, and records it. The caller is not believed, and only says
 * where to look (cancel-page#callers-change-nothing).
 */
export async function confirmForWallet(
  service: Service,
  wallet: string,
  id: string,
  { action, signature }: WalletConfirmBody,
): Promise<WalletConfirmation> {
  const { project } = await requireWalletSubscription(service, wallet, id);
  const confirmation = await confirmAction(service, project, id, { signature }, CONFIRMATIONS[action]);
  const settled = await requireWalletSubscription(service, wallet, id);
  const isDone = !('reason_code' in confirmation);
  return {
    subscription: await describeForWallet(service, settled),
    reason: isDone ? null : confirmation.reason,
    reason_code: isDone ? null : confirmation.reason_code,
  };
}
