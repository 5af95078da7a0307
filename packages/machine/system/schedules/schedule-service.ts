// 0x16b: what a schedule will create. Whatever makes, signs or deletes schedules depends on more than is stored.

import type { AbiValue } from '../../../abi/abi-value.ts';
import { type ResponseCodeName, responseCode } from '../../../protocol/hapi/response-codes.ts';
import type { TokenFacts } from '../../state/ledger-facts.ts';
import { tokenNum } from '../functions/accounts.ts';
import { type Context, type SystemFunction, systemFunction } from '../functions/function.ts';
import { answer } from '../functions/reply.ts';
import { systemContractOf } from '../functions/system-contract-of.ts';
import { unsupported } from '../functions/unsupported.ts';
import { viewGas } from '../gas/prices.ts';
import { ledgerIdOf, nftOf, noTokenInfo, results, tokenInfoOf } from '../tokens/structs.ts';
import { tokenOfCreation } from './token-of-creation.ts';

const version = { hasMetadata: false };

function scheduledToken(
  signature: string,
  isFungible: boolean,
  tokenOf: (info: AbiValue, token: TokenFacts | null, context: Context) => AbiValue,
): SystemFunction {
  return systemFunction(signature, false, ([address], context) => {
    const { world, block } = context;
    const schedule = world.fact({ kind: 'schedule', schedule: tokenNum(address as bigint) });
    const created = schedule && tokenOfCreation(schedule.body);
    const token = created?.isFungible === isFungible ? created : null;
    const status: ResponseCodeName = token === null ? 'INVALID_SCHEDULE_ID' : 'SUCCESS';
    const info =
      token === null
        ? noTokenInfo(version)
        : tokenInfoOf(token, token.totalSupply ?? 0n, version, ledgerIdOf(block.chainId));
    const values = [BigInt(responseCode[status]), tokenOf(info, token, context)];
    const result = isFungible ? results.v1.fungible : results.v1.nonFungible;
    return answer(result, values, viewGas(world.fact({ kind: 'fees' })), status);
  });
}

export const scheduleService = systemContractOf({
  functions: [
    scheduledToken('getScheduledCreateFungibleTokenInfo(address)', true, (info, token) => [
      info,
      BigInt(token?.decimals ?? 0),
    ]),
    scheduledToken('getScheduledCreateNonFungibleTokenInfo(address)', false, (info, token, { world }) => {
      const nft = token && { owner: token.treasury, spender: null, created: 0n, metadata: new Uint8Array(0) };
      return [info, ...nftOf(0n, nft, world)];
    }),
    unsupported('hasScheduleCapacity(uint256,uint256)', { changes: false }),
    unsupported('authorizeSchedule(address)'),
    unsupported('signSchedule(address,bytes)'),
    unsupported('scheduleNative(address,bytes,address)'),
    unsupported('scheduleCall(address,uint256,uint256,uint64,bytes)'),
    unsupported('scheduleCallWithPayer(address,address,uint256,uint256,uint64,bytes)'),
    unsupported('executeCallOnPayerSignature(address,address,uint256,uint256,uint64,bytes)'),
    unsupported('deleteSchedule(address)'),
  ],
  facade: {
    kind: 'schedule',
    redirect: 'redirectForScheduleTxn',
    functions: [unsupported('signSchedule()'), unsupported('deleteSchedule()')],
    numOf: tokenNum,
  },
});
