// What is said to the thread that decodes parquet files, and what it answers: one request at a time, about one file.

export type ThreadRequest =
  | { kind: 'open'; path: string }
  /** `rows`: positions in the group; null = all. */
  | { kind: 'read'; group: number; column: string; rows: readonly number[] | null }
  | { kind: 'close' };

export type ThreadAnswer = { result: unknown; error?: undefined } | { error: string };

/** The answer to `open`. */
export type OpenedFile = {
  /** Physical type of each column. */
  columns: ReadonlyMap<string, string>;
  groups: readonly { firstRow: number; rows: number; columns: readonly string[] }[];
};
