// How a frame ends without its own will: it loses its gas and its changes, and the status below is the transaction's if
// the frame is the outermost.
export type HaltStatus =
  | 'INSUFFICIENT_GAS'
  | 'LOCAL_CALL_MODIFICATION_EXCEPTION'
  | 'INVALID_CONTRACT_ID'
  | 'INVALID_SOLIDITY_ADDRESS'
  | 'INVALID_ALIAS_KEY'
  | 'INVALID_SIGNATURE'
  | 'INVALID_FEE_SUBMITTED'
  | 'MAX_CHILD_RECORDS_EXCEEDED'
  | 'MAX_ENTITIES_IN_PRICE_REGIME_HAVE_BEEN_CREATED'
  | 'CONTRACT_EXECUTION_EXCEPTION';

/** Made once for each reason, and thrown again and again: the stack of a new error would cost more than the frame. */
export class Halt extends Error {
  readonly status: HaltStatus;
  /** Every frame up to the outermost halts with it. */
  readonly endsAll: boolean;

  constructor(reason: string, status: HaltStatus = 'CONTRACT_EXECUTION_EXCEPTION', endsAll = false) {
    super(reason);
    this.name = 'Halt';
    this.status = status;
    this.endsAll = endsAll;
  }
}

export const halts = {
  outOfGas: new Halt('INSUFFICIENT_GAS', 'INSUFFICIENT_GAS'),
  staticWrite: new Halt('ILLEGAL_STATE_CHANGE', 'LOCAL_CALL_MODIFICATION_EXCEPTION'),
  invalidOperation: new Halt('INVALID_OPERATION'),
  badJump: new Halt('INVALID_JUMP_DESTINATION'),
  stackUnderflow: new Halt('INSUFFICIENT_STACK_ITEMS'),
  stackOverflow: new Halt('TOO_MANY_STACK_ITEMS'),
  returnDataBounds: new Halt('INVALID_RETURN_DATA_BUFFER_ACCESS'),
  codeTooLarge: new Halt('CODE_TOO_LARGE'),
  invalidCode: new Halt('INVALID_CODE'),
  addressTaken: new Halt('ILLEGAL_STATE_CHANGE'),
  precompile: new Halt('PRECOMPILE_ERROR'),
  missingAddress: new Halt('INVALID_SOLIDITY_ADDRESS', 'INVALID_SOLIDITY_ADDRESS'),
  /** A value for an account that no call can create. */
  noReceiver: new Halt('INVALID_CONTRACT_ID', 'INVALID_CONTRACT_ID'),
  valueToSystem: new Halt('INVALID_CONTRACT_ID', 'INVALID_CONTRACT_ID', true),
  receiverSignature: new Halt('INVALID_SIGNATURE', 'INVALID_SIGNATURE', true),
  valueToToken: new Halt('ILLEGAL_STATE_CHANGE'),
  treasury: new Halt('CONTRACT_IS_TREASURY'),
  ownsTokens: new Halt('CONTRACT_STILL_OWNS_NFTS'),
  destructToSelf: new Halt('SELF_DESTRUCT_TO_SELF'),
} as const;

/** A system contract was asked for what the machine cannot foresee. */
export class NotSupported extends Error {
  /** The signature, as in `createFungibleToken(…)`. */
  readonly called: string;
  /** Address of who asked. */
  readonly asker: bigint;

  constructor(called: string, asker: bigint) {
    super(`The machine does not simulate ${called}`);
    this.name = 'NotSupported';
    this.called = called;
    this.asker = asker;
  }
}

/** The machine stops: a limit of the caller, or state that it has to fetch before it runs the transaction again. */
export class Stop extends Error {
  readonly limit: 'time' | 'steps' | 'memory' | 'reads' | 'missing';

  constructor(limit: Stop['limit']) {
    super(`The machine stopped: ${limit}`);
    this.name = 'Stop';
    this.limit = limit;
  }
}
