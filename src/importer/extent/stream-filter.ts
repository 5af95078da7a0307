// Which transactions a small mirror stores: those that touch certain entities, or are of certain types
// (docs/reference/partial-mirror.md).
import { formatEntityId, parseEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import { isBadData } from '../../../packages/protocol/ledger-value-error.ts';

/** Entities as packed ids, types by number. */
export type FilterTerms = { entities: ReadonlySet<bigint>; types: ReadonlySet<number> };

export type StreamFilter = {
  /** null = all. */
  included: FilterTerms | null;
  /** Overrides what is included. */
  excluded: FilterTerms | null;
};

/** `0.0.1001,TOKENMINT`: entity ids and names of transaction types; null if one of them is neither. */
export function parseFilterTerms(text: string): FilterTerms | null {
  const entities = new Set<bigint>();
  const types = new Set<number>();
  for (const term of text.split(',').map((one) => one.trim())) {
    const type = transactionTypes.find(({ name }) => name === term.toUpperCase());
    if (type) {
      types.add(type.number);
      continue;
    }
    const id = parseId(/^\d+$/.test(term) ? `0.0.${term}` : term);
    if (id === null) return null;
    entities.add(id);
  }
  return { entities, types };
}

/** Equal terms have equal texts. */
export function formatFilterTerms({ entities, types }: FilterTerms): string {
  const ids = [...entities].sort((a, b) => (a < b ? -1 : 1)).map(formatEntityId);
  const names = transactionTypes.filter(({ number }) => types.has(number)).map(({ name }) => name);
  return [...ids, ...names].join(',');
}

function parseId(text: string): bigint | null {
  try {
    return parseEntityId(text);
  } catch (error) {
    if (isBadData(error)) return null;
    throw error;
  }
}
