// Rows and bytes a second of the last half minute, so that rates are current and not those of the whole run.

const windowMs = 30_000;

export function createTransferRates(now: () => number) {
  const samples: { at: number; rows: number; bytes: number }[] = [{ at: now(), rows: 0, bytes: 0 }];
  return (rows: number, bytes: number) => {
    const newest = { at: now(), rows, bytes };
    samples.push(newest);
    while (samples.length > 2 && newest.at - samples[0]!.at > windowMs) samples.shift();
    const oldest = samples[0]!;
    const seconds = Math.max((newest.at - oldest.at) / 1000, 0.001);
    // A file that is read again takes back what it had counted.
    return {
      rowsPerSecond: Math.max(0, (rows - oldest.rows) / seconds),
      bytesPerSecond: Math.max(0, (bytes - oldest.bytes) / seconds),
    };
  };
}
