// What is wrong with an export, or with the place that it is in: a sentence for the operator.

export class TransferError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransferError';
  }
}
