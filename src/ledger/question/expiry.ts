// When an entity expires, if its row does not say: creation plus the auto renew period.

type Lifetime = {
  expirationTimestamp: bigint | null;
  autoRenewPeriod: bigint | null;
};

/** ns; null if unknown. `createdTimestamp` in ns, the period in seconds. */
export function toExpiryTimestamp(lifetime: Lifetime, createdTimestamp: bigint | null): bigint | null {
  if (lifetime.expirationTimestamp !== null) return lifetime.expirationTimestamp;
  if (createdTimestamp === null || lifetime.autoRenewPeriod === null) return null;
  return createdTimestamp + lifetime.autoRenewPeriod * 1_000_000_000n;
}
