// What the transactions of a block need of the state before the block: blocks since HAPI 0.79 leave out of a value what
// did not change. Who has earlier blocks answers, and the transactions are read once more.

/** Slots of hooks belong to an account or contract and the number of its hook. Ids are packed. */
type SlotPlace = { contractId: bigint } | { ownerId: bigint; hookId: bigint };

export type StateQuestion =
  | { kind: 'totalSupply'; tokenId: bigint }
  | { kind: 'lastSerial'; tokenId: bigint }
  /** Of an account or contract: its alias or own EVM address, empty without one. */
  | { kind: 'alias'; accountId: bigint }
  | { kind: 'ethereumNonce'; accountId: bigint }
  /** `key`: without leading zeros. */
  | { kind: 'slot'; place: SlotPlace; key: Uint8Array }
  /** `serialNumber`: 0 for a fungible token. */
  | { kind: 'airdrop'; senderId: bigint; receiverId: bigint; tokenId: bigint; serialNumber: bigint };

/** null: no earlier block that is at hand says it. Words of slots are without leading zeros. */
export type StateAnswer = bigint | Uint8Array | null;

/** By `nameOfQuestion`. */
export type StateAnswers = ReadonlyMap<string, StateAnswer>;

export function nameOfQuestion(question: StateQuestion): string {
  switch (question.kind) {
    case 'totalSupply':
    case 'lastSerial':
      return `${question.kind} ${question.tokenId}`;
    case 'alias':
    case 'ethereumNonce':
      return `${question.kind} ${question.accountId}`;
    case 'slot':
      return `slot ${nameOfPlace(question.place)}:${Buffer.from(question.key).toString('hex')}`;
    case 'airdrop': {
      const { senderId, receiverId, tokenId, serialNumber } = question;
      return `airdrop ${senderId} ${receiverId} ${tokenId} ${serialNumber}`;
    }
  }
}

function nameOfPlace(place: SlotPlace): string {
  return 'contractId' in place ? `${place.contractId}` : `hook ${place.ownerId}/${place.hookId}`;
}
