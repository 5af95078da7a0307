/** Slots arrive without leading zeros and are kept as 32 bytes. */
export function toStorageSlot(slot: Uint8Array): Uint8Array {
  if (slot.length >= 32) return slot;
  const padded = new Uint8Array(32);
  padded.set(slot, 32 - slot.length);
  return padded;
}
