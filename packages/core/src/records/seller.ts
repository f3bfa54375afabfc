import type { ProjectId } from './ids.js';

/** Who sells what a project's customers pay for, as its receipts say. */
export interface Seller {
  readonly projectId: ProjectId;
  /** Null for the name of the project. */
  readonly legalName: string | null;
  /** One or more lines. */
  readonly address: string | null;
  readonly taxId: string | null;
  /** Before the numbers of later receipts; null for nothing. */
  readonly receiptPrefix: string | null;
}
