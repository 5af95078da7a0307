// Who sent what to whom, out of a list that only says who lost and who gained: both sides by size, greatest first, and
// the greatest giver gives to the greatest taker until one of them is done. What is left over was minted or burnt.

export type AccountAmount = { accountId: bigint; amount: bigint };
/** Account 0n means no account: tokens were minted or burned. */
export type Transfer = { senderId: bigint; receiverId: bigint; amount: bigint };

export function matchTransfers(amounts: readonly AccountAmount[]): Transfer[] {
  const senders = side(amounts, -1n);
  const receivers = side(amounts, 1n);
  const transfers: Transfer[] = [];
  let [from, to] = [0, 0];
  while (from < senders.length || to < receivers.length) {
    const sender = senders[from];
    const receiver = receivers[to];
    const amount = smaller(sender?.amount, receiver?.amount);
    transfers.push({ senderId: sender?.accountId ?? 0n, receiverId: receiver?.accountId ?? 0n, amount });
    if (sender) sender.amount -= amount;
    if (receiver) receiver.amount -= amount;
    if (sender?.amount === 0n) from += 1;
    if (receiver?.amount === 0n) to += 1;
  }
  return transfers;
}

/** Those with an amount of this sign, as positive amounts, greatest first, then by account. */
function side(amounts: readonly AccountAmount[], sign: 1n | -1n): AccountAmount[] {
  return amounts
    .map(({ accountId, amount }) => ({ accountId, amount: amount * sign }))
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => compare(b.amount, a.amount) || compare(a.accountId, b.accountId));
}

function smaller(a: bigint | undefined, b: bigint | undefined): bigint {
  if (a === undefined) return b ?? 0n;
  return b === undefined || a < b ? a : b;
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
