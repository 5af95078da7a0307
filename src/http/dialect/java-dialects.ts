// What is different where the mirror node answers from Java, next to a dialect's other endpoints.
import { createJavaShapes } from '../frame/java-shapes.ts';
import { refuse } from '../frame/request-error.ts';
import { formatJavaLink } from '../parameters/java-link.ts';
import { createJavaQuery } from '../parameters/java-query.ts';
import { unpaddedTimestamp } from '../parameters/timestamp-form.ts';
import type { Dialect, JavaReading } from './dialect.ts';

export function createJavaDialects(base: Dialect): Readonly<Record<JavaReading, Dialect>> {
  return {
    arguments: createJavaDialect(base, 'arguments'),
    defaulted: createJavaDialect(base, 'defaulted'),
    object: createJavaDialect(base, 'object'),
  };
}

/** One part in front is the realm. */
const number = /^(?:\d{1,4}\.)?(?:\d{1,5}\.)?\d{1,12}$/;
const accountForm = /^(?:(?:\d{1,4}\.)?(?:\d{1,5}\.)?\d{1,12}|(?:(?:\d{1,5}\.){0,2}|0x)[A-Fa-f0-9]{40})$/;
const aliasForm = /^(?:\d{1,5}\.){0,2}[A-Z2-7]{40,70}$/;
const maxInt32 = 2 ** 31 - 1;

function createJavaDialect(base: Dialect, reading: JavaReading): Dialect {
  return {
    ...base,
    pageSize(text, max, { capped }) {
      const size = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      if (!(Math.abs(size) <= maxInt32)) return undefined;
      if (size < 1) throw refuse('limitTooSmall', { name: 'limit' });
      if (size > max && !capped) throw refuse('limitTooLarge', { name: 'limit', max });
      return size;
    },
    query: createJavaQuery(reading),
    timestamp: unpaddedTimestamp,
    forms: {
      ...base.forms,
      account: accountForm,
      alias: aliasForm,
      anyAccount: accountForm,
      anyAlias: aliasForm,
      entity: number,
      numbered: number,
      number,
    },
    invalidOutOfRange: true,
    namesPathVariables: true,
    formatNextLink: formatJavaLink,
    shapes: createJavaShapes(reading),
    refusesMethods: true,
    java: null,
  };
}
