// ContractUpdate: only what the body mentions changes. Code cannot change, a file id in the body means nothing.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { autoRenewAccount } from '../../columns/auto-renew-account.ts';
import { updatedEntity } from '../../columns/entity-change.ts';
import { addHookChanges } from '../../evm/hook-changes.ts';
import { keyColumns } from '../../columns/key-columns.ts';
import { updatedStaking } from '../../columns/staking-columns.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { TransactionHandler } from '../../block/item-context.ts';
import { targetContract } from './contract-target.ts';

export const contractUpdate: TransactionHandler = {
  bodyField: 'contractUpdateInstance',
  entityId: (item, context) => targetContract(item, context, item.body.contractUpdateInstance?.contractID),
  onSuccess(item, context) {
    const body = item.body.contractUpdateInstance;
    if (!body || item.entityId === 0n) return;
    const { autoRenewAccountId, autoRenewPeriod, expirationTime, maxAutomaticTokenAssociations } = body;
    context.rows.version(
      'entity',
      updatedEntity(item, item.entityId, 'CONTRACT', {
        // Account 0.0.0 takes the auto-renew account away.
        auto_renew_account_id: autoRenewAccount(item, context, autoRenewAccountId),
        auto_renew_period: autoRenewPeriod ? toBigInt(autoRenewPeriod.seconds) : undefined,
        expiration_timestamp: expirationTime ? toTimestamp(expirationTime) : undefined,
        ...keyColumns(body.adminKey),
        max_automatic_token_associations: maxAutomaticTokenAssociations
          ? (maxAutomaticTokenAssociations.value ?? 0)
          : undefined,
        memo: newMemo(body),
        proxy_account_id: toEntityId(body.proxyAccountID) || undefined,
        ...updatedStaking(item, context, body),
      }),
    );
    addHookChanges(item, context, body);
  },
};

/** Before the wrapper, an empty memo could not be told from none. */
function newMemo({ memo, memoWrapper }: proto.IContractUpdateTransactionBody): string | undefined {
  if (memoWrapper) return toStoredText(memoWrapper.value ?? '');
  return memo ? toStoredText(memo) : undefined;
}
