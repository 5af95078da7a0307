/** What cannot be handed over; `reason` is the sentence of the answer. */
export class ProofUnavailable extends Error {
  readonly isTemporary: boolean;

  constructor(reason: string, isTemporary = false) {
    super(reason);
    this.name = 'ProofUnavailable';
    this.isTemporary = isTemporary;
  }
}
