// A method of the table: the kinds of its parameters and the function that answers. What is undefined is left out of the
// answer.
import type { RpcContext } from './context.ts';
import { type Kind, readParameters, type ValuesOf } from './kind.ts';

/** An answer that is made compressed, between two texts, because it may be too long to be kept as a text. */
export class LongResult {
  readonly compress: (head: string, tail: string) => Promise<Uint8Array>;

  constructor(compress: LongResult['compress']) {
    this.compress = compress;
  }
}

/** A result that is JSON already. */
export class WrittenResult {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

export type Method = {
  /** The result, or a promise of it; one that is a LongResult only of a method that is alone. */
  run(context: RpcContext, params: readonly unknown[]): Promise<unknown> | unknown;
  /** Refused in a batch: it is expensive, or has effects that depend on the order. */
  isAlone?: true;
};

export function method<const Kinds extends readonly Kind<unknown>[]>(
  kinds: Kinds,
  answer: (context: RpcContext, ...values: ValuesOf<Kinds>) => Promise<unknown> | unknown,
): Method {
  return { run: (context, params) => answer(context, ...readParameters(kinds, params)) };
}

/** Without parameters; whatever is given is ignored, as the relay does. */
export function plain(answer: (context: RpcContext) => Promise<unknown> | unknown): Method {
  return { run: answer };
}

export function alone(one: Method): Method {
  return { ...one, isAlone: true };
}
