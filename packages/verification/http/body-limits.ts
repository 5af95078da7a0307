// Longest bodies, in bytes.

/** Of names and keys. */
export const smallBody = 65_536;
/** Of sources; standard JSON of the largest projects stays below 5 MB. Such bodies share an allowance. */
export const sourcesBody = 10_000_000;
