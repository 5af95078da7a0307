// A new account. Its opening balance comes with the transfers of the same record.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { aliasToEvmAddress, evmAddressLength } from '../../../protocol/hapi/evm-address.ts';
import type { proto } from '../../../protocol/hapi/hapi.ts';
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import type { Row } from '../../../store/schema/tables.ts';
import { createdEntity } from '../../columns/entity-change.ts';
import { addHookChanges } from '../../evm/hook-changes.ts';
import { keyColumns, serializedKeyColumns } from '../../columns/key-columns.ts';
import { nonEmpty } from '../../columns/non-empty.ts';
import { createdStaking } from '../../columns/staking-columns.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const cryptoCreate: TransactionHandler = {
  bodyField: 'cryptoCreateAccount',
  entityId: (item) => toEntityId(item.record.receipt?.accountID),
  onSuccess: (item, context) => {
    const body = item.body.cryptoCreateAccount;
    if (!body || item.entityId === 0n) return;
    const alias = nonEmpty(item.record.alias) ?? nonEmpty(body.alias);
    const evmAddress = nonEmpty(item.record.evmAddress) ?? (alias ? aliasToEvmAddress(alias) : null);
    context.lookup.remember(item.entityId, { alias, evmAddress });
    context.rows.version(
      'entity',
      createdEntity(item, item.entityId, 'ACCOUNT', {
        alias,
        auto_renew_period: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : null,
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
      }),
    );
    addHookChanges(item, context, body);
  },
};

/** Without a key of its own the account has the one that its alias is. */
function accountKey(key: proto.IKey | null | undefined, alias: Uint8Array | null): Row<'entity'> {
  if (key) return keyColumns(key);
  return alias && alias.length > evmAddressLength ? serializedKeyColumns(alias) : {};
}
