// The expected tables of a mirror in memory: rows that are only added, rows that are replaced, and versions. Values are
// plain; `toComparable` writes them as PostgreSQL's row_to_json does.

type Value = unknown;
export type ExpectedRow = Record<string, Value>;
type Versioned = { from: bigint; row: ExpectedRow };

export type ExpectedTables = {
  add(table: string, row: ExpectedRow): void;
  /** Replaces the members that are given; undefined ones stay as they are. */
  put(table: string, key: string, row: ExpectedRow): void;
  /** A new version from this moment on, other members unchanged. Two at one moment are one version. */
  version(table: string, key: string, at: bigint, members: ExpectedRow): void;
  /** Changes the newest version in place, if there is one. */
  amend(table: string, key: string, change: (row: ExpectedRow) => ExpectedRow): void;
  latest(table: string, key: string): ExpectedRow | undefined;
  keys(table: string): string[];
  /** Current rows, and those of `<table>_history`. */
  rows(table: string): ExpectedRow[];
};

export function createExpectedTables(): ExpectedTables {
  const added = new Map<string, ExpectedRow[]>();
  const replaced = new Map<string, Map<string, ExpectedRow>>();
  const versioned = new Map<string, Map<string, Versioned[]>>();
  const versionsOf = (table: string) => within(versioned, table, () => new Map<string, Versioned[]>());
  return {
    add: (table, row) => within(added, table, () => []).push(row),
    put: (table, key, row) => {
      const rows = within(replaced, table, () => new Map());
      rows.set(key, { ...rows.get(key), ...said(row) });
    },
    version: (table, key, at, members) => {
      const versions = within(versionsOf(table), key, () => []);
      const last = versions.at(-1);
      const row = { ...last?.row, ...said(members) };
      if (last?.from === at) last.row = row;
      else versions.push({ from: at, row });
    },
    amend: (table, key, change) => {
      const last = versionsOf(table).get(key)?.at(-1);
      if (last) last.row = change(last.row);
    },
    latest: (table, key) => versionsOf(table).get(key)?.at(-1)?.row ?? replaced.get(table)?.get(key),
    keys: (table) => [...(versioned.get(table) ?? replaced.get(table) ?? new Map()).keys()],
    rows: (table) => {
      const isHistory = table.endsWith('_history');
      const all = [...(versioned.get(isHistory ? table.slice(0, -'_history'.length) : table) ?? new Map()).values()];
      const ofVersions = all.flatMap((versions: Versioned[]) => {
        const withRange = versions.map(({ from, row }, index) => {
          const to = versions[index + 1]?.from;
          return { ...row, timestamp_range: `[${from},${to ?? ''})` };
        });
        return isHistory ? withRange.slice(0, -1) : withRange.slice(-1);
      });
      return [...(added.get(table) ?? []), ...(replaced.get(table)?.values() ?? []), ...ofVersions];
    },
  };
}

/** Bytes as \x…, integers as bigint, lists and JSON inside. */
export function toComparable(value: Value): Value {
  if (value === undefined || value === null) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(toComparable);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toComparable(member)]));
}

function said(row: ExpectedRow): ExpectedRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

function within<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
