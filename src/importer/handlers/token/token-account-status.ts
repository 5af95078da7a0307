// Freeze, unfreeze, grant and revoke KYC: one status of one account for one token. The account is the entity of the
// transaction.

import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { proto } from '../../../protocol/hapi/hapi.ts';
import type { BodyField } from '../../../protocol/hapi/transaction-types.ts';
import type { Row } from '../../../store/schema/tables.ts';
import { freezeStatuses, kycStatuses } from '../../columns/token-statuses.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const tokenFreeze = statusHandler('tokenFreeze', (body) => body.tokenFreeze, {
  freeze_status: freezeStatuses.frozen,
});
export const tokenUnfreeze = statusHandler('tokenUnfreeze', (body) => body.tokenUnfreeze, {
  freeze_status: freezeStatuses.unfrozen,
});
export const tokenGrantKyc = statusHandler('tokenGrantKyc', (body) => body.tokenGrantKyc, {
  kyc_status: kycStatuses.granted,
});
export const tokenRevokeKyc = statusHandler('tokenRevokeKyc', (body) => body.tokenRevokeKyc, {
  kyc_status: kycStatuses.revoked,
});

type AccountAndToken = { account?: proto.IAccountID | null; token?: proto.ITokenID | null };

function statusHandler(
  bodyField: BodyField,
  select: (body: proto.ITransactionBody) => AccountAndToken | null | undefined,
  status: Row<'token_account'>,
): TransactionHandler {
  return {
    bodyField,
    entityId: (item, { lookup }) => lookup.account(select(item.body)?.account),
    onSuccess: (item, { rows }) => {
      rows.version('token_account', {
        account_id: item.entityId,
        ...status,
        timestamp_range: { from: item.consensusTimestamp, to: null },
        token_id: toEntityId(select(item.body)?.token),
      });
    },
  };
}
