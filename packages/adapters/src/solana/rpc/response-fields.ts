/** An answer that is not what its method promises. The endpoint that gave it is passed over. */
export class MalformedResponse extends Error {
  constructor(what: string) {
    super(`The answer has no usable ${what}.`);
    this.name = 'MalformedResponse';
  }
}

/** An answer from before something already seen. The endpoint that gave it is behind the others. */
export class StaleResponse extends Error {
  constructor() {
    super('The endpoint is behind what was already seen.');
    this.name = 'StaleResponse';
  }
}

const HIGHEST = BigInt(Number.MAX_SAFE_INTEGER);

export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) throw new MalformedResponse(name);
  return (value as Record<string, unknown>)[name];
}

export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new MalformedResponse(what);
  return value;
}

export function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new MalformedResponse(what);
  return value;
}

/** A slot, height, time or amount of lamports: a whole number a JSON number holds exactly. */
export function whole(value: unknown, what: string): bigint {
  if (typeof value !== 'bigint' || value < 0n || value > HIGHEST) throw new MalformedResponse(what);
  return value;
}

/** A token amount, which may exceed what a JSON number holds and so travels as text. */
export function amount(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) throw new MalformedResponse(what);
  return BigInt(value);
}

/** A place in a list, which kit hands over as a number and other transports may as a bigint. */
export function index(value: unknown, what: string): number {
  const place = typeof value === 'bigint' ? Number(value) : value;
  if (typeof place !== 'number' || !Number.isInteger(place) || place < 0) throw new MalformedResponse(what);
  return place;
}
