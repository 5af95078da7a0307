// What differs where the mirror node answers from Java, compared with a dialect's other endpoints.

import { refuse } from '../../../packages/web-server/request-error.ts';
import { formatJavaLink } from '../reading/page/java-link.ts';
import type { Dialect, JavaReading } from '../reading/query/dialect.ts';
import { createJavaQuery } from '../reading/query/java-query.ts';
import { readJavaInteger } from '../reading/value/java-integer.ts';
import { unpaddedTimestamp } from '../reading/value/timestamp-form.ts';
import { createJavaShapes } from './java-shapes.ts';

export function createJavaDialects(base: Dialect): Readonly<Record<JavaReading, Dialect>> {
  return {
    arguments: createJavaDialect(base, 'arguments'),
    object: createJavaDialect(base, 'object'),
  };
}

/** A single leading part is the realm. In conditions each part may have leading zeros. */
const condition = /^(?:\d{1,40}\.){0,2}\d{1,40}$/;
const number = /^(?:\d{1,4}\.)?(?:\d{1,5}\.)?\d{1,12}$/;
const accountForm = /^(?:(?:\d{1,4}\.)?(?:\d{1,5}\.)?\d{1,12}|(?:(?:\d{1,5}\.){0,2}|0x)[A-Fa-f0-9]{40})$/;
const aliasForm = /^(?:\d{1,5}\.){0,2}[A-Z2-7]{40,70}$/;
const flags = new Map([
  ...['true', 'on', 'yes', '1'].map((word): [string, boolean] => [word, true]),
  ...['false', 'off', 'no', '0'].map((word): [string, boolean] => [word, false]),
]);

function createJavaDialect(base: Dialect, reading: JavaReading): Dialect {
  return {
    ...base,
    pageSize(text, max, { capped }) {
      const size = readJavaInteger(text, 32);
      if (size === undefined) return undefined;
      if (size < 1n) throw refuse('limitTooSmall', { name: 'limit' });
      if (size > BigInt(max) && !capped) throw refuse('limitTooLarge', { name: 'limit', max });
      return Number(size);
    },
    query: createJavaQuery(reading),
    timestamp: unpaddedTimestamp,
    forms: {
      ...base.forms,
      account: accountForm,
      alias: aliasForm,
      anyAccount: accountForm,
      anyAlias: aliasForm,
      entity: condition,
      numbered: condition,
      number,
    },
    flags,
    toWord: (text) => text.toLowerCase().replaceAll(/[^\p{L}\p{Nd}]/gu, ''),
    ignoresLeftoverBits: true,
    invalidOutOfRange: true,
    namesPathVariables: true,
    formatNextLink: formatJavaLink,
    shapes: createJavaShapes(reading),
    refusesMethods: true,
    java: null,
  };
}
