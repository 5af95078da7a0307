// The large ledger with the contracts that benchmarks call.
import { addCalledContracts, type CalledContracts } from './called-contracts.ts';
import { type LedgerSize, openLargeLedger } from './large-ledger.ts';

type CalledLedger = { ledger: Awaited<ReturnType<typeof openLargeLedger>>; contracts: CalledContracts };

/** `later`: of `closeAtEnd`. */
export async function openCalledLedger(
  size: LedgerSize,
  scale: number,
  later: (close: () => Promise<void>) => void,
): Promise<CalledLedger> {
  const ledger = await openLargeLedger(size, scale);
  later(() => ledger.stop());
  const contracts = await addCalledContracts(ledger.connectionString, size);
  later(() => contracts.close());
  return { ledger, contracts };
}
