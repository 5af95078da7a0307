// The check of a contract against its block explorer's record, in the API document. Its bodies and errors differ from
// those of the queries, so it is described separately. Optional members appear if they are known.
import { type TSchema, Type } from '@sinclair/typebox';
import type { Describe } from '../../web-server/operation.ts';
import { verificationTag } from './verification-operations.ts';

const oneOf = (words: readonly string[]): TSchema => Type.Unsafe({ type: 'string', enum: [...words] });
/** A schema of the document by its name. */
const schemaNamed = (name: string): TSchema => Type.Unsafe({ $ref: `#/components/schemas/${name}` });

const transformations = Type.Array(
  Type.Object({
    type: oneOf(['insert', 'replace', 'delete']),
    reason: oneOf(['constructorArguments', 'library', 'immutable', 'cborAuxdata', 'callProtection']),
    offset: Type.Integer({ description: 'Bytes.' }),
    id: Type.Optional(Type.String()),
    length: Type.Optional(Type.Integer()),
  }),
  { description: 'Places where the compiled code was filled with bytes from the chain.' },
);
const values = Type.Object({}, { additionalProperties: true, description: 'The bytes that were filled in.' });
const bytes = Type.String({ pattern: '^0x[0-9a-f]*$' });
const checksumAddress = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'With EIP-55 checksum.' });

export const checkSchemas = {
  ContractCheck: Type.Object({
    address: checksumAddress,
    chainId: Type.String({ pattern: '^[1-9]\\d*$' }),
    status: Type.Unsafe<string>({
      ...oneOf(['perfect', 'partial', 'extra-file-input-bug', 'null']),
      description:
        'perfect: equal, the hash of the sources included. partial: equal but for that hash. extra-file-input-bug: the hash is equal, the code is not. null: no match, or no code to compare.',
    }),
    message: Type.String({ description: 'What matched, or which part differs and where.' }),
    libraryMap: Type.Record(Type.String(), Type.String({ pattern: '^[0-9a-f]{40}$' }), {
      description: 'Link placeholder → address of the library found in its place.',
    }),
    customCode: Type.Optional(Type.String({ description: 'The reason why there is no match.' })),
    contractName: Type.Optional(Type.String()),
    abiEncodedConstructorArguments: Type.Optional(bytes),
    immutableReferences: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.Object({ start: Type.Integer(), length: Type.Integer() }))),
    ),
    runtimeTransformations: Type.Optional(transformations),
    creationTransformations: Type.Optional(transformations),
    runtimeTransformationValues: Type.Optional(values),
    creationTransformationValues: Type.Optional(values),
    onchainRuntimeBytecode: Type.Optional(bytes),
    onchainCreationBytecode: Type.Optional(bytes),
    creatorTxHash: Type.Optional(bytes),
    blockNumber: Type.Optional(Type.Integer()),
    txIndex: Type.Optional(Type.Integer()),
    deployer: Type.Optional(checksumAddress),
  }),
  VerificationResult: Type.Object({
    result: Type.Array(schemaNamed('ContractCheck'), { minItems: 1, maxItems: 1 }),
  }),
  VerificationError: Type.Object({
    error: Type.String(),
    message: Type.String({ description: 'The same.' }),
    customCode: Type.String(),
    errorId: Type.String({ format: 'uuid' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String(), errorCode: Type.String() })),
    ),
    errorData: Type.Optional(Type.Unknown()),
  }),
};

const members = {
  address: { type: 'string', description: '40 hex digits, with or without `0x`; on the mirrored chain also `0.0.N`.' },
  apiKey: {
    type: 'string',
    description: 'For the first explorer that accepts a key. It is neither stored nor logged.',
  },
};

const answer = (description: string, schema: keyof typeof checkSchemas) => ({
  description,
  content: { 'application/json': { schema: schemaNamed(schema) } },
});

const responses = {
  '200': answer('The contract was checked.', 'VerificationResult'),
  '400': answer('The request, the chain or the record is invalid, or the sources do not compile.', 'VerificationError'),
  '404': answer('No explorer has a record of the contract.', 'VerificationError'),
  '413': answer('The body is too large.', 'VerificationError'),
  '415': answer('The body is neither JSON nor a form.', 'VerificationError'),
  '429': answer(
    'Too many requests, here or at the explorer; `Retry-After` says when to try again.',
    'VerificationError',
  ),
  '500': answer('Internal error of the server.', 'VerificationError'),
  '502': answer('The explorer or the chain gave an invalid answer.', 'VerificationError'),
  '503': answer('The compiler or the database is not available.', 'VerificationError'),
  '504': answer('The explorer took too long.', 'VerificationError'),
};

export const describeExplorerCheck: Describe = ({ chainId, contractAddress }) => ({
  operationId: 'verifyAgainstExplorer',
  tags: [verificationTag],
  summary: "Checks a contract against its block explorer's record",
  description:
    'Fetches the record, compiles it, and compares the result with the code on the chain. 200 means that the contract was checked, whatever the outcome.',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['address', 'chainId'],
          properties: { ...members, chainId: { type: 'string', description: 'Decimal.' } },
          example: { address: contractAddress, chainId },
        },
      },
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['address', 'chain'],
          properties: { ...members, chain: { type: 'string', description: 'Chain id, decimal.' } },
        },
      },
    },
  },
  responses,
});
