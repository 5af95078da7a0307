// A parameter without meaning that is accepted because clients send it.
import { Type } from '@sinclair/typebox';
import { type QueryParameter, queryParameter } from './parameter.ts';

export function ignored(description: string): QueryParameter<null> {
  return queryParameter({
    kind: 'anything',
    repeatable: false,
    description,
    schema: () => Type.String(),
    open: () => ({ read: () => null, collect: () => null }),
  });
}
