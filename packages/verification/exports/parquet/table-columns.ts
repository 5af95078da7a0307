// The columns that are read of each table, of Sourcify's schema: that of the Verifier Alliance with a few additions.
import type { TableName } from './find-table-files.ts';
import {
  booleanColumn,
  bytesColumn,
  type ColumnReader,
  hexColumn,
  integerColumn,
  optionalBooleanColumn,
  optionalHexColumn,
  textColumn,
} from './read-value.ts';

export type TableRow<Name extends TableName> = {
  [Column in keyof TableColumns[Name]]: TableColumns[Name][Column] extends ColumnReader<infer T> ? T : never;
};

type TableColumns = ReturnType<typeof tableColumns>;

/** `inputBytes`: of settings, and of a source. */
export function tableColumns(inputBytes: number) {
  // A UUID as text, some more where others are used.
  const id = textColumn(200);
  return {
    contract_deployments: {
      id,
      chain_id: integerColumn,
      address: hexColumn(20),
      transaction_hash: optionalHexColumn(32),
    },
    verified_contracts: {
      deployment_id: id,
      compilation_id: id,
      runtime_match: booleanColumn,
      creation_match: booleanColumn,
      runtime_metadata_match: optionalBooleanColumn,
      creation_metadata_match: optionalBooleanColumn,
    },
    compiled_contracts: {
      id,
      version: textColumn(200),
      language: textColumn(100),
      fully_qualified_name: textColumn(4096),
      compiler_settings: textColumn(inputBytes),
    },
    compiled_contracts_sources: { compilation_id: id, path: textColumn(4096), source_hash: hexColumn(32) },
    sources: { source_hash: hexColumn(32), content: bytesColumn(inputBytes) },
  };
}
