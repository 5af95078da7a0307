// Kinds of value that PostgreSQL has and JavaScript has not.

/** Validity of a version in ns: from inclusive, to exclusive, null while current. */
export type TimestampRange = { from: bigint; to: bigint | null };

export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [name: string]: JsonValue };
