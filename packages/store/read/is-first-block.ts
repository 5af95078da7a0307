/**
 * SQL over record_file: whether no block comes before it. Files before v6 are counted from where the import began, so
 * that only the previous hash shows it.
 */
export const isFirstBlock = `(prev_hash ~ '^0*$' or (version >= 6 and index = 0))`;
