// Puts ids that exist into the examples of the API document, so that what is tried out as it stands finds something.
import type { LedgerExamples } from '../../ledger/ledger-examples.ts';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';

const exampleOf: Readonly<Record<string, keyof Omit<LedgerExamples, 'block'>>> = {
  tokenId: 'tokenId',
  idOrAliasOrEvmAddress: 'accountId',
  contractIdOrAddress: 'contractId',
  scheduleId: 'scheduleId',
};

type DocumentedParameter = { name: string; in: string; schema: object };
type Documented = { paths: Record<string, Record<string, { parameters?: DocumentedParameter[] }>> };

/** A copy; where there is no such thing yet, the example stays as it is. */
export function withLiveExamples<D extends object>(document: D, examples: LedgerExamples): D {
  const copy = structuredClone(document) as D & Documented;
  for (const operations of Object.values(copy.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters) {
        const kind = parameter.in === 'path' ? exampleOf[parameter.name] : undefined;
        const id = kind ? examples[kind] : null;
        if (id !== null) parameter.schema = { ...parameter.schema, examples: [formatEntityId(id)] };
      }
    }
  }
  return copy;
}
