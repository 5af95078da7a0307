// The dialects by name, as operators choose them.
import type { Dialect } from '../reading/query/dialect.ts';
import { hieroDialect } from './hiero-dialect.ts';
import { specDialect } from './spec-dialect.ts';

export type DialectName = 'spec' | 'hiero';

export function findDialect(name: DialectName): Dialect {
  return dialects[name];
}

const dialects: Readonly<Record<DialectName, Dialect>> = { spec: specDialect, hiero: hieroDialect };
