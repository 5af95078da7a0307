// A method of the table: the kinds of its parameters and the function that answers. What is undefined is left out of
// the answer.
import type { RpcContext } from './context.ts';
import { type Kind, readParameters, type ValuesOf } from './kind.ts';

/**
 * An answer that is made compressed, between two texts, because it may be too long to be kept as a text. Refused in a
 * batch, before it is made.
 */
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

type Answerer = {
  /** The result, or a promise of it. */
  run(context: RpcContext, params: readonly unknown[]): Promise<unknown> | unknown;
};

export type Method = Answerer & {
  /** For the reference page: what each parameter is, in order. */
  parameters: readonly string[];
  /** For the reference page: what is answered, and what differs from others. */
  about: string;
};

/** A method of the table, with what docs/reference/json-rpc.md says of it. */
export function about(parameters: readonly string[], text: string, answerer: Answerer): Method {
  return { ...answerer, parameters, about: text };
}

export function method<const Kinds extends readonly Kind<unknown>[]>(
  kinds: Kinds,
  answer: (context: RpcContext, ...values: ValuesOf<Kinds>) => Promise<unknown> | unknown,
): Answerer {
  return { run: (context, params) => answer(context, ...readParameters(kinds, params)) };
}

/** Without parameters; whatever is given is ignored, as the relay does. */
export function plain(answer: (context: RpcContext) => Promise<unknown> | unknown): Answerer {
  return { run: answer };
}
