import * as z from 'zod';

import { Confirmation } from '../../packages/core/src/contract/confirmation.js';
import { ExportText } from '../../packages/core/src/contract/export-format.js';
import { WalletConfirmation } from '../../packages/core/src/contract/wallet.js';
import type { Operation } from '../../packages/core/src/operations/operation.js';
import * as table from '../../packages/core/src/operation-table.js';

function answerOf(output: z.ZodType) {
  if (output === ExportText) return 'text';
  const inner = output instanceof z.ZodReadonly ? output.unwrap() : output;
  if (inner instanceof z.ZodVoid) return 'nothing';
  if (inner instanceof z.ZodArray) return 'list';
  const fields = inner instanceof z.ZodObject ? inner.shape : {};
  return 'data' in fields && 'has_more' in fields && !('next' in fields) ? 'page' : 'object';
}

function routes(constant: string, meaning: string, operations: readonly Operation[]): string {
  const lines = operations.map(({ name, method, path, input, output }) =>
    JSON.stringify({
      name,
      method,
      path,
      input: input !== null,
      answer: answerOf(output),
      waits: [Confirmation, WalletConfirmation].some((waited) => waited === output),
    }),
  );
  return `/** ${meaning} */\nexport const ${constant}: readonly Route[] = [\n  ${lines.join(',\n  ')},\n];\n`;
}

const ofManagement = ({ scope }: Operation) => scope === 'management';

/** The client's part of the operations, as a source: the bundle of a client must not contain the service. */
export const routesSource = () =>
  [
    "// Made by `npm run docs` from the operations.\n\nimport type { Route } from './route.js';\n",
    routes('CONTRACT_ROUTES', 'The routes of the contract.', table.CONTRACT_OPERATIONS),
    routes('SESSION_ROUTES', 'The routes of checkouts, portals and plan links.', table.SESSION_OPERATIONS),
    routes('WALLET_ROUTES', 'The routes of wallets.', table.WALLET_OPERATIONS),
    routes('SERVICE_ROUTES', 'The management routes of the service.', table.SERVICE_OPERATIONS),
    routes(
      'PROJECT_ROUTES',
      'The management routes of one project.',
      table.PROJECT_OPERATIONS.filter(ofManagement),
    ),
  ].join('\n');
