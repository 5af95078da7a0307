// Work over whole tables that shows the ledger at the end of a block, without making blocks wait: it continues in
// ranges of ids between later blocks. Rows that such a block changes are processed before it (copy on write), so that
// the result is that of the moment. The progress is stored with each range: a killed import continues where it was.
import type pg from 'pg';
import { balanceScan } from './balance-scan.ts';
import type { BulkOperation, WritableChanges } from './block-changes.ts';
import { rewardScan } from './reward-scan.ts';
import type { Scan, ScanContext, ScanKind, ScanOperation, ScanPhase } from './scan.ts';

export type LedgerScans = {
  /** Call it before a part is written: processes rows that the part changes and running scans have not reached. */
  keep(client: pg.Client, part: WritableChanges['parts'][number]): Promise<void>;
  /** Begins with the first range; small tables are done with it. */
  begin(client: pg.Client, operation: ScanOperation, context: ScanContext): Promise<void>;
  /** Processes the next range of a running scan. */
  advance(client: pg.Client): Promise<ScanProgress>;
  /** Whether there may be ranges left. */
  isRunning(): boolean;
  /** After a rollback: the running scans are read again. */
  forget(): void;
};

/** `hasEnded`: of the scan, whose rows can now be read. `hasMore`: there are ranges left. */
export type ScanProgress = { hasEnded: boolean; hasMore: boolean };

const kinds: { [Kind in Scan['kind']]: ScanKind<Extract<ScanOperation, { operation: Kind }>> } = {
  takeBalanceSnapshot: balanceScan,
  updatePendingRewards: rewardScan,
};

const kindOf = (kind: Scan['kind']) => kinds[kind] as ScanKind<ScanOperation>;

export function isScanOperation(operation: BulkOperation): operation is ScanOperation {
  return operation.operation in kinds;
}

/** `rowsOfRange`: rows of the scanned table processed at a time. */
export function createLedgerScans(rowsOfRange: number): LedgerScans {
  // null = not read yet
  let running: Scan[] | null = null;

  async function load(client: pg.Client): Promise<Scan[]> {
    running ??= (await client.query<Scan>('select * from ledger_scan order by consensus_timestamp, kind')).rows;
    return running;
  }

  async function count(client: pg.Client, scan: Scan, rows: number): Promise<void> {
    if (rows === 0) return;
    scan.row_count = String(BigInt(scan.row_count) + BigInt(rows));
    const values = [scan.kind, scan.row_count];
    await client.query({ name: 'count-scan', text: 'update ledger_scan set row_count = $2 where kind = $1', values });
  }

  async function scanRange(client: pg.Client, scan: Scan): Promise<'range' | 'phase' | 'end'> {
    const { phases, end } = kindOf(scan.kind);
    const phase = phases[scan.phase]!;
    const from = scan.position ?? lowestId;
    const bound = await findBound(client, phase, from, rowsOfRange);
    await count(client, scan, await phase.fill(client, scan, { from, to: bound ?? highestId }));
    if (bound === null && scan.phase === phases.length - 1) {
      await end(client, scan);
      await client.query({ name: 'end-scan', text: 'delete from ledger_scan where kind = $1', values: [scan.kind] });
      running = running!.filter((other) => other !== scan);
      return 'end';
    }
    if (bound === null) scan.phase += 1;
    scan.position = bound;
    await client.query({
      name: 'advance-scan',
      text: 'update ledger_scan set phase = $2, position = $3 where kind = $1',
      values: [scan.kind, scan.phase, scan.position],
    });
    return bound === null ? 'phase' : 'range';
  }

  return {
    async keep(client, part) {
      for (const scan of await load(client))
        await count(client, scan, await kindOf(scan.kind).keep(client, scan, part));
    },
    async begin(client, operation, context) {
      const former = (await load(client)).find(({ kind }) => kind === operation.operation);
      while (former && (await scanRange(client, former)) !== 'end');
      await kindOf(operation.operation).begin(client, operation, context);
      running = null;
      const scan = (await load(client)).find(({ kind }) => kind === operation.operation)!;
      while ((await scanRange(client, scan)) === 'phase');
    },
    async advance(client) {
      const scan = (await load(client))[0];
      const hasEnded = scan !== undefined && (await scanRange(client, scan)) === 'end';
      return { hasEnded, hasMore: running!.length > 0 };
    },
    isRunning: () => running === null || running.length > 0,
    forget() {
      running = null;
    },
  };
}

const lowestId = String(-(2n ** 63n));
const highestId = String(2n ** 63n - 1n);

/** The id after this many rows; null = to the end. */
async function findBound(client: pg.Client, phase: ScanPhase, from: string, rows: number): Promise<string | null> {
  const { table, column } = phase;
  const found = await client.query<{ id: string }>({
    name: `bound-of-${table}`,
    text: `select ${column} as id from ${table} where ${column} > $1 order by ${column} offset $2 limit 1`,
    values: [from, rows - 1],
  });
  return found.rows[0]?.id ?? null;
}
