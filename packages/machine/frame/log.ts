export type Log = { address: bigint; topics: bigint[]; data: Uint8Array };
