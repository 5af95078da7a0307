// The compiler's description of where variables lie.

/**
 * The slot of the first variable of one of these names that is an address alone in it. `layout`: parsed JSON, of any
 * kind.
 */
export function findAddressSlot(layout: unknown, names: readonly string[]): Buffer | null {
  const { storage } = (layout ?? {}) as { storage?: unknown };
  if (!Array.isArray(storage)) return null;
  for (const variable of storage as Record<string, unknown>[]) {
    const { label, offset, slot, type } = variable ?? {};
    const isAddress = type === 't_address' || (typeof type === 'string' && type.startsWith('t_contract('));
    if (!isAddress || offset !== 0 || typeof slot !== 'string' || !/^\d{1,77}$/.test(slot)) continue;
    if (names.includes(label as string)) return Buffer.from(BigInt(slot).toString(16).padStart(64, '0'), 'hex');
  }
  return null;
}
