// Sourcify's database as parquet files. Rows of the asked chains are chosen first, then what those refer to, a pass
// over each
// table: memory grows with the matches of these chains, not with the millions of others. Sources wait in a temporary
// file.
import type { ExportReading, MatchExport } from '../terms/match-export.ts';
import { assembleClaim } from './assemble-claim.ts';
import { collectCompilations } from './collect-compilations.ts';
import { createParquetReader } from './create-parquet-reader.ts';
import { createSpool } from './create-spool.ts';
import type { TableFiles } from './find-table-files.ts';
import { listMatches } from './list-matches.ts';
import { readRows } from './read-rows.ts';
import type { ReadTable } from './read-table.ts';
import { tableColumns } from './table-columns.ts';

export function openParquetExport({ folder, files }: TableFiles, reading: ExportReading): MatchExport {
  const { inputBytes, stepMs } = reading.limits;
  const columns = tableColumns(inputBytes);
  const spool = createSpool();
  const reader = createParquetReader(stepMs);

  const readTables =
    (signal: AbortSignal): ReadTable =>
    (table, key, isWanted) => {
      if (files[table].length === 0) reading.onProblem(`${folder} has no file of the table ${table}.`);
      // Columns and rows of a table are one description, which TypeScript does not follow through the table's name.
      const rows = { columns: columns[table], key, isWanted };
      return readRows({ reader, folder, table, files: files[table], signal, ...reading, ...rows } as never);
    };

  return {
    description: `parquet files of Sourcify's database in ${folder}`,
    list: (chains, signal) => listMatches(readTables(signal), chains),
    async *claims(chosen, signal) {
      if (chosen.length === 0) return;
      const wanted = new Set(chosen.map(({ key }) => key));
      const { onProblem } = reading;
      const { compilations, paths } = await collectCompilations(readTables(signal), wanted, { spool, onProblem });
      for (const match of chosen) {
        signal.throwIfAborted();
        const compilation = compilations.get(match.key);
        const sources = paths.get(match.key) ?? new Map<string, string>();
        yield { match, ...(await assembleClaim({ key: match.key, compilation, sources, spool, inputBytes })) };
      }
    },
    async close() {
      await reader.close();
      await spool.close();
    },
  };
}
