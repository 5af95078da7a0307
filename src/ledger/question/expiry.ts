// When an entity runs out, where its row does not say: creation plus the auto renew period.

type Lifetime = {
  expiration_timestamp: bigint | null;
  auto_renew_period: bigint | null;
};

/** ns; null when nothing says. `createdTimestamp` in ns, the period in seconds. */
export function toExpiryTimestamp(lifetime: Lifetime, createdTimestamp: bigint | null): bigint | null {
  if (lifetime.expiration_timestamp !== null) return lifetime.expiration_timestamp;
  if (createdTimestamp === null || lifetime.auto_renew_period === null) return null;
  return createdTimestamp + lifetime.auto_renew_period * 1_000_000_000n;
}
