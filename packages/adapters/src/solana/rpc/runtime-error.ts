import type { TransactionError } from '@solana/kit';
import { MalformedResponse } from './response-fields.js';

/** Reads the `err` of a response, or null, in the shape on which kit's classification relies. */
export function runtimeError(value: unknown): TransactionError | null {
  if (value === null) return null;
  if (typeof value === 'string') return value as TransactionError;
  if (typeof value !== 'object' || Object.keys(value).length === 0) throw new MalformedResponse('error');
  if ('InstructionError' in value) {
    const parts: unknown = value.InstructionError;
    if (!Array.isArray(parts) || parts.length !== 2 || !isInstructionError(parts[1])) {
      throw new MalformedResponse('instruction error');
    }
  }
  return value as TransactionError;
}

function isInstructionError(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
  );
}
