/** SQL: whether the writer's session is one of a database that does not know the ledger's beginning. */
export const beganLater = `current_setting('ledger_mirror.began_later', true) = 'on'`;
