import type { Missing } from '../contract/missing.js';
import { toAmountText } from '../contract/scalars.js';
import type { Plan } from '../records/index.js';
import { tokenName } from '../rules/token-name.js';
import type { Service } from '../service.js';
import { readKnownTokens } from './plans/known-tokens.js';

export const SOL_DECIMALS = 9;

/** The tokens of a plan that a wallet lacks, of an amount that it must hold (portal#missing-money). */
export async function missingTokens(
  service: Service,
  plan: Plan,
  balance: bigint,
  needed: bigint,
): Promise<Missing> {
  const { unit } = tokenName(plan, await readKnownTokens(service));
  return missing('token', balance, needed, plan.decimals, unit);
}

/** The SOL that a wallet lacks, in lamports. */
export function missingLamports(lamports: bigint, needed: bigint): Missing {
  return missing('sol', lamports, needed, SOL_DECIMALS, 'SOL');
}

function missing(
  of: Missing['of'],
  held: bigint,
  needed: bigint,
  decimals: number,
  symbol: string | null,
): Missing {
  return { of, amount: toAmountText(needed - held), needed: toAmountText(needed), decimals, symbol };
}
