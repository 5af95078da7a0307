/** As people compare it and `--ledger-id` takes it, wherever it is shown: every digit, in lower case, without `0x`. */
export function formatLedgerId(ledgerId: Uint8Array): string {
  return Buffer.from(ledgerId).toString('hex');
}
