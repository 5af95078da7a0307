// 0x16e: messages to other ledgers (CLPR, HIP-1535). What becomes of one depends on channels that are not stored, and
// no network has switched it on: every function is one that the contract does not know.
import { systemContractOf } from './functions/system-contract-of.ts';

export const messageService = systemContractOf({ functions: [] });
