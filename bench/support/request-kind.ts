/** Requests of the query benchmark that are measured together. */
export type RequestKind = { name: string; paths: string[] };
