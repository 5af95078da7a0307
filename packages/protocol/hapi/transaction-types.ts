// The transaction types of HAPI 0.80, the only place with their numbers. A new type is a line here; the compiler then
// names every table that lacks it.

/**
 * Which folder of importer/handlers makes the rows of a type. `generic`: none, it has a transaction row and transfers
 * only. `internal`: stored like that and not decoded: messages between nodes, whose form still changes.
 */
export type TransactionFamily =
  | 'account'
  | 'contract'
  | 'file'
  | 'hook'
  | 'network'
  | 'schedule'
  | 'token'
  | 'topic'
  | 'generic'
  | 'internal';

export type TransactionType = {
  /** Field number in the `data` oneof of TransactionBody. */
  number: number;
  bodyField: BodyField;
  /** In the API: HAPI's field name in upper case without underscores. */
  name: string;
  family: TransactionFamily;
};

/** The field of a decoded TransactionBody. The package still has HookStore under its former name. */
export type BodyField = keyof typeof table;

export type FieldOf<Family extends TransactionFamily> = {
  [Field in BodyField]: (typeof table)[Field][2] extends Family ? Field : never;
}[BodyField];

const table = {
  contractCall: [7, 'CONTRACTCALL', 'contract'],
  contractCreateInstance: [8, 'CONTRACTCREATEINSTANCE', 'contract'],
  contractUpdateInstance: [9, 'CONTRACTUPDATEINSTANCE', 'contract'],
  cryptoAddLiveHash: [10, 'CRYPTOADDLIVEHASH', 'account'],
  cryptoCreateAccount: [11, 'CRYPTOCREATEACCOUNT', 'account'],
  cryptoDelete: [12, 'CRYPTODELETE', 'account'],
  cryptoDeleteLiveHash: [13, 'CRYPTODELETELIVEHASH', 'account'],
  cryptoTransfer: [14, 'CRYPTOTRANSFER', 'generic'],
  cryptoUpdateAccount: [15, 'CRYPTOUPDATEACCOUNT', 'account'],
  fileAppend: [16, 'FILEAPPEND', 'file'],
  fileCreate: [17, 'FILECREATE', 'file'],
  fileDelete: [18, 'FILEDELETE', 'file'],
  fileUpdate: [19, 'FILEUPDATE', 'file'],
  systemDelete: [20, 'SYSTEMDELETE', 'file'],
  systemUndelete: [21, 'SYSTEMUNDELETE', 'file'],
  contractDeleteInstance: [22, 'CONTRACTDELETEINSTANCE', 'contract'],
  freeze: [23, 'FREEZE', 'network'],
  consensusCreateTopic: [24, 'CONSENSUSCREATETOPIC', 'topic'],
  consensusUpdateTopic: [25, 'CONSENSUSUPDATETOPIC', 'topic'],
  consensusDeleteTopic: [26, 'CONSENSUSDELETETOPIC', 'topic'],
  consensusSubmitMessage: [27, 'CONSENSUSSUBMITMESSAGE', 'topic'],
  uncheckedSubmit: [28, 'UNCHECKEDSUBMIT', 'generic'],
  tokenCreation: [29, 'TOKENCREATION', 'token'],
  tokenFreeze: [31, 'TOKENFREEZE', 'token'],
  tokenUnfreeze: [32, 'TOKENUNFREEZE', 'token'],
  tokenGrantKyc: [33, 'TOKENGRANTKYC', 'token'],
  tokenRevokeKyc: [34, 'TOKENREVOKEKYC', 'token'],
  tokenDeletion: [35, 'TOKENDELETION', 'token'],
  tokenUpdate: [36, 'TOKENUPDATE', 'token'],
  tokenMint: [37, 'TOKENMINT', 'token'],
  tokenBurn: [38, 'TOKENBURN', 'token'],
  tokenWipe: [39, 'TOKENWIPE', 'token'],
  tokenAssociate: [40, 'TOKENASSOCIATE', 'token'],
  tokenDissociate: [41, 'TOKENDISSOCIATE', 'token'],
  scheduleCreate: [42, 'SCHEDULECREATE', 'schedule'],
  scheduleDelete: [43, 'SCHEDULEDELETE', 'schedule'],
  scheduleSign: [44, 'SCHEDULESIGN', 'schedule'],
  tokenFeeScheduleUpdate: [45, 'TOKENFEESCHEDULEUPDATE', 'token'],
  tokenPause: [46, 'TOKENPAUSE', 'token'],
  tokenUnpause: [47, 'TOKENUNPAUSE', 'token'],
  cryptoApproveAllowance: [48, 'CRYPTOAPPROVEALLOWANCE', 'account'],
  cryptoDeleteAllowance: [49, 'CRYPTODELETEALLOWANCE', 'account'],
  ethereumTransaction: [50, 'ETHEREUMTRANSACTION', 'contract'],
  nodeStakeUpdate: [51, 'NODESTAKEUPDATE', 'network'],
  utilPrng: [52, 'UTILPRNG', 'network'],
  tokenUpdateNfts: [53, 'TOKENUPDATENFTS', 'token'],
  nodeCreate: [54, 'NODECREATE', 'network'],
  nodeUpdate: [55, 'NODEUPDATE', 'network'],
  nodeDelete: [56, 'NODEDELETE', 'network'],
  tokenReject: [57, 'TOKENREJECT', 'token'],
  tokenAirdrop: [58, 'TOKENAIRDROP', 'token'],
  tokenCancelAirdrop: [59, 'TOKENCANCELAIRDROP', 'token'],
  tokenClaimAirdrop: [60, 'TOKENCLAIMAIRDROP', 'token'],
  stateSignatureTransaction: [65, 'STATESIGNATURETRANSACTION', 'internal'],
  hintsPreprocessingVote: [66, 'HINTSPREPROCESSINGVOTE', 'internal'],
  hintsKeyPublication: [67, 'HINTSKEYPUBLICATION', 'internal'],
  hintsPartialSignature: [68, 'HINTSPARTIALSIGNATURE', 'internal'],
  historyProofSignature: [69, 'HISTORYPROOFSIGNATURE', 'internal'],
  historyProofKeyPublication: [70, 'HISTORYPROOFKEYPUBLICATION', 'internal'],
  historyProofVote: [71, 'HISTORYPROOFVOTE', 'internal'],
  crsPublication: [72, 'CRSPUBLICATION', 'internal'],
  atomicBatch: [74, 'ATOMICBATCH', 'generic'],
  lambdaSstore: [75, 'HOOKSTORE', 'hook'],
  hookDispatch: [76, 'HOOKDISPATCH', 'generic'],
  ledgerIdPublication: [77, 'LEDGERIDPUBLICATION', 'network'],
  registeredNodeCreate: [78, 'REGISTEREDNODECREATE', 'network'],
  registeredNodeUpdate: [79, 'REGISTEREDNODEUPDATE', 'network'],
  registeredNodeDelete: [80, 'REGISTEREDNODEDELETE', 'network'],
  migrationRootHashVote: [81, 'MIGRATIONROOTHASHVOTE', 'generic'],
  clprUpdateLedgerConfiguration: [82, 'CLPRUPDATELEDGERCONFIGURATION', 'generic'],
  clprRegisterChannel: [83, 'CLPRREGISTERCHANNEL', 'generic'],
  clprCompleteChannel: [84, 'CLPRCOMPLETECHANNEL', 'generic'],
  clprCloseChannel: [85, 'CLPRCLOSECHANNEL', 'generic'],
  clprSubmitBundle: [86, 'CLPRSUBMITBUNDLE', 'generic'],
  clprRedactMessage: [87, 'CLPRREDACTMESSAGE', 'generic'],
  clprRegisterConnector: [88, 'CLPRREGISTERCONNECTOR', 'generic'],
  clprDeregisterConnector: [89, 'CLPRDEREGISTERCONNECTOR', 'generic'],
  clprCompleteConnector: [90, 'CLPRCOMPLETECONNECTOR', 'generic'],
  clprEndpointPublication: [91, 'CLPRENDPOINTPUBLICATION', 'internal'],
} as const satisfies Record<string, readonly [number, string, TransactionFamily]>;

const bodyFields = Object.keys(table) as BodyField[];

export const transactionTypes: readonly TransactionType[] = bodyFields.map((bodyField) => {
  const [number, name, family] = table[bodyField];
  return { number, bodyField, name, family };
});

/** Numbers by body field: `typeNumber.cryptoTransfer` is 14. */
export const typeNumber = Object.fromEntries(transactionTypes.map(({ bodyField, number }) => [bodyField, number])) as {
  readonly [Field in BodyField]: number;
};

const byNumber: ReadonlyMap<number, TransactionType> = new Map(transactionTypes.map((type) => [type.number, type]));

/** null for a type that is newer than this table. */
export function findTransactionType(number: number): TransactionType | null {
  return byNumber.get(number) ?? null;
}

/** `UNKNOWN` for a type that is newer than this table. */
export function transactionTypeName(number: number): string {
  return byNumber.get(number)?.name ?? 'UNKNOWN';
}
