// Messages of @hiero-ledger/proto, a second opinion on those of @hashgraph/proto. Both packages keep theirs under one
// name of protobufjs, where what is loaded second would change what the first one reads: here the two stay apart.
import { createRequire } from 'node:module';
import protobuf from 'protobufjs/minimal.js';

export const { proto } = loadApart();

function loadApart(): typeof import('@hiero-ledger/proto') {
  const { roots } = protobuf;
  const { hashgraph: loadedBefore } = roots;
  delete roots.hashgraph;
  try {
    return createRequire(import.meta.url)('@hiero-ledger/proto');
  } finally {
    if (loadedBefore === undefined) delete roots.hashgraph;
    else roots.hashgraph = loadedBefore;
  }
}
