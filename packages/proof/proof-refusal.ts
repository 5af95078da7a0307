// Why a proof is refused: which check failed, what it expected, what it found. The verdict has it as a value; any other
// error of this room is a defect.

/**
 * message: the protobuf messages around a proof. encoding: numbers and points. threshold: weight of the signers.
 * signature: of the block root. argument: that the aggregate key is the signers'. attestation: that the ledger's
 * network made the key. statePath: from a block to a later one. generation: what another version of the network's
 * library makes, which is not read. unknownForm: a publication that is written in no form that is known, so that it may
 * be good or not.
 */
export type ProofCheck =
  | 'message'
  | 'encoding'
  | 'threshold'
  | 'signature'
  | 'argument'
  | 'attestation'
  | 'statePath'
  | 'generation'
  | 'publication'
  | 'unknownForm'
  | 'ledgerId'
  | 'wrapsKey'
  | 'rotation';

export type Refusal = { check: ProofCheck; expected: string; found: string };

export class ProofRefusal extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`${refusal.check}: expected ${refusal.expected}, found ${refusal.found}`);
    this.name = 'ProofRefusal';
    this.refusal = refusal;
  }
}

export function refuse(check: ProofCheck, expected: string, found: string): never {
  throw new ProofRefusal({ check, expected, found });
}
