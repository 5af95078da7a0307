// The dialects by name, as operators choose them and requests name them.
import type { IncomingMessage } from 'node:http';
import type { DialectName } from '../frame/asked-dialect.ts';
import type { Dialect } from '../reading/query/dialect.ts';
import { hieroDialect } from './hiero-dialect.ts';
import { specDialect } from './spec-dialect.ts';

export type { DialectName };

const dialects: Readonly<Record<DialectName, Dialect>> = { spec: specDialect, hiero: hieroDialect };

export function findDialect(name: DialectName): Dialect {
  return dialects[name];
}

export function dialectAskedFor({ askedDialect }: IncomingMessage, chosen: Dialect): Dialect {
  return askedDialect === undefined ? chosen : findDialect(askedDialect);
}
