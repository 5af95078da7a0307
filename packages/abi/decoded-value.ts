// Values as they were found in data, ready to be shown: text that no code has to compute with, and lists of it.

export type DecodedValue = {
  /** Of the parameter or member; empty if it has none, as items of lists have none. */
  name: string;
  /** As in signatures. */
  type: string;
  /**
   * Integers in decimal, addresses with EIP-55 checksum, `true` or `false`, bytes as 0x and hex, strings as they are.
   */
  value: string | DecodedValue[];
  /** Indexed text, bytes, lists and tuples: `value` is their Keccak-256, which is all that a log has of them. */
  isHashed?: true;
  /** Items, characters or bytes that were left out at the end. */
  omitted?: number;
};

export type DecodedCall = {
  name: string;
  /** e.g. `transfer(address,uint256)` */
  signature: string;
  arguments: DecodedValue[];
  /** Nothing was checked but that a usual name has this selector or topic: another author may mean something else. */
  isByName?: true;
};
