// What a download costs that its reader pays for: an estimate by list prices, which change.
import type { FilePlaceAddress } from '../../packages/sources/places/file-place.ts';

const gib = 2 ** 30;

/**
 * Data transfer to the internet, up to 10 TiB a month; more is cheaper, some destinations cost more. Google:
 * cloud.google.com/storage/pricing, "Network egress worldwide 0-10 TiB", as of 20 September 2026. Amazon: the first 10
 * TB of a month from most regions of North America and Europe, as others quote aws.amazon.com/s3/pricing.
 */
const egress = {
  gs: { usdPerGib: 0.12, from: 'Google Cloud' },
  s3: { usdPerGib: 0.09, from: 'Amazon S3' },
} as const;

/** A sentence, or none: of folders, where the owner of the bucket pays, and of stores at other addresses. */
export function describeDownloadCost(from: FilePlaceAddress, bytes: number): string[] {
  if (from.kind === 'folder' || !from.requesterPays || from.endpoint !== undefined) return [];
  const { usdPerGib, from: store } = egress[from.store];
  const price = `$${usdPerGib.toFixed(2)} a GiB`;
  return [
    `The download costs about ${formatUsd((bytes / gib) * usdPerGib)} at ${price} (list price of internet egress from ${store}, may have changed; less, or nothing, within its own network).`,
  ];
}

function formatUsd(usd: number): string {
  if (usd < 0.01) return '$0.01';
  const digits = usd < 10 ? 2 : 0;
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
