import type { TransactionError } from '@solana/kit';

/** Thrown for a response without its documented shape. Failover then tries another endpoint. */
export class MalformedResponse extends Error {
  constructor(what: string) {
    super(`The RPC response has no usable ${what}.`);
    this.name = 'MalformedResponse';
  }
}

/** Thrown for a response older than one already seen. Failover then tries another endpoint. */
export class StaleResponse extends Error {
  constructor() {
    super('The RPC endpoint is behind another one: its response is older than one already seen.');
    this.name = 'StaleResponse';
  }
}

/** Thrown when an endpoint works but cannot answer this question, however often it is asked. */
export class CannotTell extends Error {
  constructor() {
    super('The RPC endpoint cannot tell: its history does not reach back far enough.');
    this.name = 'CannotTell';
  }
}

/** Thrown for an endpoint of another cluster, whose results say nothing about ours. */
export class WrongCluster extends Error {
  constructor() {
    super(
      'The RPC endpoint belongs to another cluster: its genesis hash differs. Check the RPC URLs and the network.',
    );
    this.name = 'WrongCluster';
  }
}

const MAX_WHOLE = BigInt(Number.MAX_SAFE_INTEGER);

/** A field of an object. Throws MalformedResponse when it is absent. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) throw new MalformedResponse(name);
  return (value as Record<string, unknown>)[name];
}

/** A list. Throws MalformedResponse for anything else. */
export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new MalformedResponse(what);
  return value;
}

/** A text. Throws MalformedResponse for anything else. */
export function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new MalformedResponse(what);
  return value;
}

/** True or false. Throws MalformedResponse for anything else. */
export function flag(value: unknown, what: string): boolean {
  if (typeof value !== 'boolean') throw new MalformedResponse(what);
  return value;
}

/** A slot, height, time or number of lamports: a whole number that a JSON number holds exactly. */
export function whole(value: unknown, what: string): bigint {
  if (typeof value !== 'bigint' || value < 0n || value > MAX_WHOLE) throw new MalformedResponse(what);
  return value;
}

/** A token amount, which is sent as text: a JSON number may not hold it. */
export function amount(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) throw new MalformedResponse(what);
  return BigInt(value);
}

/** An index of a list, which kit's transport gives as a number and others may give as a bigint. */
export function index(value: unknown, what: string): number {
  const place = typeof value === 'bigint' ? Number(value) : value;
  if (typeof place !== 'number' || !Number.isInteger(place) || place < 0) throw new MalformedResponse(what);
  return place;
}

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
