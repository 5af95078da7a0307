// UtilPrng: the random bytes or number that the record brings; none, no row.
import type { TransactionHandler } from '../../block/item-context.ts';

export const prng: TransactionHandler = {
  bodyField: 'utilPrng',
  entityId: () => 0n,
  onSuccess(item, context) {
    const { prngBytes, prngNumber } = item.record;
    const hasNumber = prngNumber !== null && prngNumber !== undefined;
    if (!prngBytes && !hasNumber) return;
    context.rows.insert('prng', {
      consensus_timestamp: item.consensusTimestamp,
      payer_account_id: item.payerAccountId,
      prng_bytes: prngBytes ?? null,
      prng_number: hasNumber ? prngNumber : null,
      range: item.body.utilPrng?.range ?? 0,
    });
  },
};
