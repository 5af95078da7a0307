// A unit of the stream: a submitted transaction with its children, the inner transactions of a batch and the schedules
// that it made ready. Blocks have the state changes once for the whole unit.
import type { Ledger, LedgerChange } from '../ledger/ledger.ts';
import type { StreamItem } from './stream-item.ts';

export type StreamUnit = {
  /** In the order of consensus time. */
  items: readonly StreamItem[];
  /** The submitted one; children may come before it. */
  main: StreamItem;
  changes: readonly LedgerChange[];
  /** Unchanged slots beside slots of the same contract that were added or removed. */
  neighbours: readonly StorageNeighbour[];
  /** Of the tokens whose NFTs changed, after and before the unit. */
  treasuries: ReadonlyMap<bigint, bigint>;
  treasuriesBefore: ReadonlyMap<bigint, bigint>;
};

/** `key`: of the storage table. */
export type StorageNeighbour = { key: string; value: Uint8Array };

/** The unit of all changes since the mark. */
export function toStreamUnit(
  ledger: Ledger,
  mark: number,
  items: readonly StreamItem[],
  main: StreamItem = items[0]!,
): StreamUnit {
  const changes = ledger.changes(mark);
  const treasuries = findTreasuries(ledger, changes);
  return {
    items,
    main,
    changes,
    neighbours: findNeighbours(ledger, changes),
    treasuries,
    treasuriesBefore: findTreasuriesBefore(treasuries, changes),
  };
}

/** Networks keep the slots of a contract as a linked list: adding or removing one changes the links of another. */
function findNeighbours({ tables }: Ledger, changes: readonly LedgerChange[]): StorageNeighbour[] {
  const touched = new Set<string>();
  const contracts = new Set<string>();
  for (const change of changes) {
    if (change.table !== 'storage') continue;
    touched.add(change.key);
    if ((change.before === undefined) !== (change.after === undefined)) contracts.add(contractOf(change.key));
  }
  const neighbours: StorageNeighbour[] = [];
  if (contracts.size === 0) return neighbours;
  for (const [key, value] of tables.storage) {
    if (touched.has(key) || !contracts.delete(contractOf(key))) continue;
    neighbours.push({ key, value });
    if (contracts.size === 0) break;
  }
  return neighbours;
}

function findTreasuries({ tables }: Ledger, changes: readonly LedgerChange[]): Map<bigint, bigint> {
  const treasuries = new Map<bigint, bigint>();
  for (const change of changes) {
    const nft = change.table === 'nfts' && change.after;
    const token = nft && tables.tokens.get(nft.token);
    if (token) treasuries.set(token.id, token.treasury);
  }
  return treasuries;
}

function findTreasuriesBefore(
  after: ReadonlyMap<bigint, bigint>,
  changes: readonly LedgerChange[],
): Map<bigint, bigint> {
  const treasuries = new Map(after);
  for (const change of changes) {
    if (change.table !== 'tokens' || !treasuries.has(change.key)) continue;
    if (change.before) treasuries.set(change.key, change.before.treasury);
  }
  return treasuries;
}

function contractOf(storageKey: string): string {
  return storageKey.slice(0, storageKey.indexOf(':'));
}
