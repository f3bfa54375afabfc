import type { Address } from '@solana/kit';
import type { Localnet } from '../localnet.js';
import { decodeBase58 } from '../runtime/base58.js';
import { RpcError, invalidParam, invalidParams } from './rpc-error.js';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** A value of a request's parameters, and its name, so that an error can say which one is wrong. */
export class Param {
  constructor(
    readonly name: string,
    readonly value: unknown,
  ) {}

  get given(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** The value as `read` reads it, or `otherwise` when it is missing. */
  or<T>(otherwise: T, read: (param: this) => T): T {
    return this.given ? read(this) : otherwise;
  }

  /** The value as a flag, which is false when there is none. */
  flag(): boolean {
    return this.or(false, (param) => param.boolean());
  }

  string(): string {
    if (typeof this.value !== 'string') throw this.wrong('a string');
    return this.value;
  }

  address(): Address {
    return this.#base58(32, 'an address in base58') as Address;
  }

  blockhash(): string {
    return this.#base58(32, 'a blockhash in base58');
  }

  signature(): string {
    return this.#base58(64, 'a signature in base58');
  }

  u64(): bigint {
    const { value } = this;
    const whole = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof whole !== 'bigint' || whole < 0n || whole > U64_MAX)
      throw this.wrong('an unsigned 64-bit integer');
    return whole;
  }

  boolean(): boolean {
    if (typeof this.value !== 'boolean') throw this.wrong('true or false');
    return this.value;
  }

  oneOf<T extends string>(choices: readonly T[]): T {
    const choice = choices.find((known) => known === this.value);
    if (choice === undefined) throw this.wrong(`one of ${choices.join(', ')}`);
    return choice;
  }

  /** The items of a list that has at most `limit`. `items` names them. */
  list(limit: number, items = 'inputs'): Param[] {
    if (!Array.isArray(this.value)) throw this.wrong('a list');
    if (this.value.length > limit) {
      throw new RpcError('invalidParams', `Too many ${items} provided; max ${limit}`);
    }
    return this.value.map((item: unknown, index) => new Param(`${this.name}[${index}]`, item));
  }

  /** A member of an object. All members of a missing object are missing. */
  member(name: string): Param {
    if (!this.given) return new Param(`${this.name}.${name}`, undefined);
    if (typeof this.value !== 'object' || Array.isArray(this.value)) throw this.wrong('an object');
    return new Param(`${this.name}.${name}`, Reflect.get(this.value as object, name));
  }

  /** The error that says what was expected here. */
  wrong(expected: string): Error {
    return invalidParams(`${this.name} must be ${expected}`);
  }

  #base58(size: number, expected: string): string {
    if (typeof this.value !== 'string') throw this.wrong(expected);
    // No longer text has so few bytes, and one of any length would take long to decode.
    if (this.value.length > size * 1.375 || decodeBase58(this.value)?.length !== size) {
      throw invalidParam(`${this.name} must be ${expected}`);
    }
    return this.value;
  }
}

/** A request's parameters by position, with the names that the method's documentation gives them. */
export class Params {
  readonly #values: readonly unknown[];

  /** @throws {RpcError} when the parameters are neither missing nor a list */
  constructor(values: unknown) {
    if (values !== undefined && values !== null && !Array.isArray(values)) {
      throw invalidParams('the parameters must be a list');
    }
    this.#values = values ?? [];
  }

  at(position: number, name: string): Param {
    return new Param(name, this.#values[position]);
  }
}

/** A JSON-RPC method, which returns its `result`. @throws {RpcError} to respond with an error */
type Method = (chain: Localnet, params: Params) => unknown;

/** Methods by name. */
export type Methods = Readonly<Record<string, Method>>;
