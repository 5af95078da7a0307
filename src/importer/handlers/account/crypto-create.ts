// A new account. Its opening balance comes with the transfers of the same record.
import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { aliasToEvmAddress, evmAddressLength } from '../../../../packages/protocol/hapi/evm-address.ts';
import type { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import type { Row } from '../../../../packages/schema/tables.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { addCreatedEntity } from '../../columns/entity-change.ts';
import { createdStaking, keyColumns, serializedKeyColumns } from '../../columns/entity-columns.ts';
import { nonEmpty, secondsOf, toStoredText } from '../../columns/stored-values.ts';
import { addHookChanges } from '../../evm/hooks.ts';

export const cryptoCreateAccount: TransactionHandler<'cryptoCreateAccount'> = {
  entityId: (_body, { record }) => toEntityId(record.receipt?.accountID),
  onEntity: (body, item, context) => {
    const alias = nonEmpty(item.record.alias) ?? nonEmpty(body.alias);
    const evmAddress = nonEmpty(item.record.evmAddress) ?? (alias ? aliasToEvmAddress(alias) : null);
    context.lookup.remember(item.entityId, { alias, evmAddress });
    addCreatedEntity(item, context, 'ACCOUNT', {
      alias,
      auto_renew_period: secondsOf(body.autoRenewPeriod),
      balance: 0n,
      balance_timestamp: item.consensusTimestamp,
      delegation_address: nonEmpty(body.delegationAddress),
      ...(item.ethereumNonce == null ? {} : { ethereum_nonce: item.ethereumNonce }),
      evm_address: evmAddress,
      ...accountKey(body.key, alias),
      max_automatic_token_associations: body.maxAutomaticTokenAssociations ?? 0,
      memo: toStoredText(body.memo ?? ''),
      proxy_account_id: toEntityId(body.proxyAccountID) || null,
      receiver_sig_required: body.receiverSigRequired === true,
      ...createdStaking(item, context, body),
    });
    addHookChanges(item, context, body);
  },
};

/** Without its own key the account has the one in its alias. */
function accountKey(key: proto.IKey | null | undefined, alias: Uint8Array | null): Row<'entity'> {
  if (key) return keyColumns(key);
  return alias && alias.length > evmAddressLength ? serializedKeyColumns(alias) : {};
}
