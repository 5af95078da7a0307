export type StoredUnit = {
  number: bigint;
  name: string;
  version: number;
  hash: string;
  consensusStart: bigint;
  consensusEnd: bigint;
};
