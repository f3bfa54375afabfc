import { createRoot, type Context, type Group } from './command-tree.js';
import { addAuditCommand } from './groups/audit.js';
import { addCheckoutCommands } from './groups/checkout.js';
import { addCompletionCommand } from './groups/completion.js';
import { addDatabaseCommands } from './groups/database.js';
import { addDeliveryCommands } from './groups/delivery.js';
import { addDoctorCommand } from './groups/doctor.js';
import { addEndpointCommands } from './groups/endpoint.js';
import { addKeyCommands } from './groups/key.js';
import { addLinkCommands } from './groups/link.js';
import { addListenCommands } from './groups/listen.js';
import { addLocalCommands } from './groups/local.js';
import { addMailCommands } from './groups/mail.js';
import { addMcpCommand } from './groups/mcp.js';
import { addPlanCommands } from './groups/plan.js';
import { addPortalCommands } from './groups/portal.js';
import { addProjectCommands } from './groups/project.js';
import { addFigureCommands } from './groups/figures.js';
import { addExportCommands } from './groups/export.js';
import { addPaymentCommands } from './groups/payment.js';
import { addReportCommands } from './groups/reports.js';
import { addResealCommand } from './groups/reseal.js';
import { addServiceCommands, SERVICES, type Services } from './groups/service.js';
import { addSetupCommands } from './groups/setup.js';
import { addStatusCommand } from './groups/status.js';
import { addSubscriptionCommands } from './groups/subscription.js';
import { VERSION } from '../version.js';

/** The tree of every command of `subrail`. */
export function createProgram(context: Context, services: Services = SERVICES): Group {
  const root = createRoot(context);
  root.command
    .description('Recurring token payments on Solana, as a service.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print the help, here or of one command');
  addServiceCommands(root, services);
  addSetupCommands(root);
  addStatusCommand(root);
  addProjectCommands(root);
  addKeyCommands(root);
  addPlanCommands(root);
  addLinkCommands(root);
  addCheckoutCommands(root);
  addPortalCommands(root);
  addEndpointCommands(root);
  addDeliveryCommands(root);
  addMailCommands(root);
  addSubscriptionCommands(root);
  addPaymentCommands(root);
  addExportCommands(root);
  addReportCommands(root);
  addFigureCommands(root);
  addAuditCommand(root);
  addDoctorCommand(root);
  addResealCommand(root);
  addMcpCommand(root);
  addLocalCommands(root);
  addListenCommands(root);
  addDatabaseCommands(root);
  addCompletionCommand(root);
  return root;
}
