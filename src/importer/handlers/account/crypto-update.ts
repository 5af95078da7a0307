// Changes of an account: only what the transaction mentions.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { proto } from '../../../protocol/hapi/hapi.ts';
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { updatedEntity } from '../../columns/entity-change.ts';
import { addHookChanges } from '../../evm/hook-changes.ts';
import { keyColumns } from '../../columns/key-columns.ts';
import { updatedStaking } from '../../columns/staking-columns.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const cryptoUpdate: TransactionHandler = {
  bodyField: 'cryptoUpdateAccount',
  entityId: (item) => toEntityId(item.body.cryptoUpdateAccount?.accountIDToUpdate),
  onSuccess: (item, context) => {
    const body = item.body.cryptoUpdateAccount;
    if (!body || item.entityId === 0n) return;
    context.rows.version(
      'entity',
      updatedEntity(item, item.entityId, 'ACCOUNT', {
        auto_renew_period: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : null,
        delegation_address: delegationAddress(body.delegationAddress),
        ...(item.ethereumNonce == null ? {} : { ethereum_nonce: item.ethereumNonce }),
        expiration_timestamp: body.expirationTime ? toTimestamp(body.expirationTime) : null,
        ...keyColumns(body.key),
        max_automatic_token_associations: body.maxAutomaticTokenAssociations
          ? (body.maxAutomaticTokenAssociations.value ?? 0)
          : null,
        memo: body.memo ? toStoredText(body.memo.value ?? '') : null,
        proxy_account_id: toEntityId(body.proxyAccountID) || null,
        receiver_sig_required: receiverSigRequired(body),
        ...updatedStaking(item, context, body),
      }),
    );
    addHookChanges(item, context, body);
  },
};

/** Empty bytes change nothing; the zero address, which ends a delegation, is kept as it is. */
function delegationAddress(address: Uint8Array | undefined): Uint8Array | null {
  return address && address.length > 0 ? address : null;
}

/** The old field without a wrapper can only say yes. */
function receiverSigRequired(body: proto.ICryptoUpdateTransactionBody): boolean | null {
  if (body.receiverSigRequiredWrapper) return body.receiverSigRequiredWrapper.value === true;
  return body.receiverSigRequired ? true : null;
}
