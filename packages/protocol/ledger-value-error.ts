// An invalid value of the ledger: an id out of range, an Ethereum transaction that cannot be decoded. Together with
// StreamFileError it marks bad data; any other error of a transaction is a defect of this program.
import { StreamFileError } from './stream-file-error.ts';

export class LedgerValueError extends RangeError {
  constructor(message: string) {
    super(message);
    this.name = 'LedgerValueError';
  }
}

/** Whether the error means bad data, not a defect of this program. */
export function isBadData(error: unknown): error is Error {
  return error instanceof LedgerValueError || error instanceof StreamFileError;
}
