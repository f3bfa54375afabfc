import { InstructionFailure, type InvokeContext } from '../../runtime/program.js';
import { EVENT_AUTHORITY } from '../pdas.js';
import { refuse } from '../errors.js';

/** Does nothing but check its account: its data is the event. Only the program itself can sign for it (program#events). */
export function emitEvent(context: InvokeContext): void {
  const [eventAuthority, ...others] = context.accounts;
  if (eventAuthority === undefined || others.length > 0) throw new InstructionFailure('NotEnoughAccountKeys');
  if (!eventAuthority.isSigner) throw new InstructionFailure('MissingRequiredSignature');
  if (eventAuthority.address !== EVENT_AUTHORITY) refuse('InvalidEventAuthority');
}
