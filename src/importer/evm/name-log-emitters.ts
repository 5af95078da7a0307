// Adds the emitters of logs to the participants of a contract's transaction: tokens get logs in a transaction from
// later items of the block, and a mirror node's REST server shows only logs of participants.
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockRows } from '../rows/block-rows.ts';

type Participation = Row<'contract_transaction'>;

/** To be called when all rows of the block are made. */
export function nameLogEmitters(rows: BlockRows): void {
  const logs = rows.inserted('contract_log');
  if (logs.length === 0) return;
  const parts = new Map<bigint, Map<bigint, Participation>>();
  for (const row of rows.inserted('contract_transaction')) {
    const others = parts.get(row.consensus_timestamp!);
    if (others) others.set(row.entity_id!, row);
    else parts.set(row.consensus_timestamp!, new Map([[row.entity_id!, row]]));
  }
  const changed = new Set<Map<bigint, Participation>>();
  for (const { consensus_timestamp: time, contract_id: emitter } of logs) {
    const all = parts.get(time!);
    // A log without a contract's transaction: a token transfer only.
    if (!all || all.has(emitter!)) continue;
    const [first] = all.values();
    const row = { ...first!, entity_id: emitter! };
    all.set(emitter!, row);
    rows.insert('contract_transaction', row);
    changed.add(all);
  }
  // Once for each transaction: a block may have any number of emitters.
  for (const all of changed) {
    const contractIds = [...all.keys()];
    for (const row of all.values()) Object.assign(row, { contract_ids: contractIds });
  }
}
