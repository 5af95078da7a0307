// An example value of each kind of query parameter, by the name of the kind. Words and numbers have examples in their
// schemas.
import type { TSchema } from '@sinclair/typebox';

const digits = (text: string, count: number): string => text.repeat(count);

export const queryExamples: Readonly<Record<string, string>> = {
  account: '0.0.1001',
  token: '0.0.1013',
  contract: '0.0.1018',
  schedule: '0.0.1016',
  file: '0.0.102',
  timestamp: 'lte:1700000000.000000000',
  publicKey: digits('ab', 32),
  tokenName: 'coin',
  tokenType: 'FUNGIBLE_COMMON',
  amount: 'gte:0',
  serial: 'gte:1',
  sequence: 'gte:1',
  hookId: 'gte:0',
  slot: digits('00', 32),
  hash: `0x${digits('ab', 48)}`,
  sha256: digits('ab', 32),
  sha384: digits('ab', 48),
  transactionHash: `0x${digits('ab', 32)}`,
  topic: 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  block: '1',
  index: '0',
  nonce: '0',
  node: '0',
  nodeId: '0',
  position: '1001-1010-0',
  anything: '1700000000',
};

/** The schema with an example. `kind`: of the parameter. */
export function withExample(schema: TSchema, kind: string): TSchema {
  const { type, items, default: usual, enum: words } = schema;
  if (type === 'array') return { ...schema, items: withExample(items, kind) };
  if (type === 'integer') return { ...schema, examples: [usual ?? 0] };
  const own = type === 'boolean' ? (usual ?? true) : (usual ?? words?.[0]);
  const example = own ?? queryExamples[kind];
  if (example === undefined) throw new Error(`The API document has no example of the kind ${kind}`);
  return { ...schema, examples: [example] };
}
