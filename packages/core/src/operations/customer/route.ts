import type * as z from 'zod';

import type { Service } from '../../service.js';
import type { Declaration, Operation } from '../operation.js';
import type { CustomerCaller } from './caller.js';

/** A call of a customer: who calls, the parsed input, and the id in the path, if it has one. */
export interface CustomerCall<Input> {
  readonly service: Service;
  readonly caller: CustomerCaller;
  readonly id: string;
  readonly input: Input;
}

type Declared<Input extends z.ZodType | null, Output extends z.ZodType> = Pick<
  Operation,
  'method' | 'summary'
> &
  Partial<Pick<Operation, 'status' | 'notFound' | 'errors'>> & {
    readonly path: `/customer/v1/${string}`;
    readonly input?: Input;
    readonly output: Output;
    run(call: CustomerCall<Input extends z.ZodType ? z.output<Input> : undefined>): Promise<z.output<Output>>;
  };

/**
 * Declares an operation of a customer, who is known by a session or by the log-in of an app. It has no
 * function in process: an app has those of the contract.
 */
export function customerRoute<Output extends z.ZodType, Input extends z.ZodType | null = null>(
  declared: Declared<Input, Output>,
): Declaration<unknown> {
  return {
    status: 200,
    input: null,
    notFound: null,
    errors: [],
    readsChain: false,
    ...declared,
    scope: 'customer',
    parameters: declared.path.includes('{id}') ? ['id'] : [],
    run: (call) => declared.run(call as never),
  };
}
