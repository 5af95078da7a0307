// Changes of an account: only what the transaction sets.
import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import type { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { addUpdatedEntity } from '../../columns/entity-change.ts';
import { keyColumns, updatedStaking } from '../../columns/entity-columns.ts';
import { changedText, nonEmpty, secondsOf, timestampOf } from '../../columns/stored-values.ts';
import { addHookChanges } from '../../evm/hooks.ts';

export const cryptoUpdateAccount: TransactionHandler<'cryptoUpdateAccount'> = {
  entityId: ({ accountIDToUpdate }) => toEntityId(accountIDToUpdate),
  onEntity: (body, item, context) => {
    const { maxAutomaticTokenAssociations: associations } = body;
    addUpdatedEntity(item, context, 'ACCOUNT', {
      auto_renew_period: secondsOf(body.autoRenewPeriod),
      // Empty bytes change nothing; the zero address, which ends a delegation, is stored as it is.
      delegation_address: nonEmpty(body.delegationAddress),
      ...(item.ethereumNonce == null ? {} : { ethereum_nonce: item.ethereumNonce }),
      expiration_timestamp: timestampOf(body.expirationTime),
      ...keyColumns(body.key),
      max_automatic_token_associations: associations ? (associations.value ?? 0) : null,
      memo: changedText(body.memo),
      proxy_account_id: toEntityId(body.proxyAccountID) || null,
      receiver_sig_required: receiverSigRequired(body),
      ...updatedStaking(item, context, body),
    });
    addHookChanges(item, context, body);
  },
};

/** The old field without a wrapper can only be true. */
function receiverSigRequired(body: proto.ICryptoUpdateTransactionBody): boolean | null {
  if (body.receiverSigRequiredWrapper) return body.receiverSigRequiredWrapper.value === true;
  return body.receiverSigRequired ? true : null;
}
