// Units as items of a block stream: the same transactions as in records, with results, outputs, traces and state
// changes instead of records.

import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import type { SemanticVersion } from '../../streams/stream/stream-block.ts';
import type { StreamUnit } from '../run/stream-unit.ts';
import { beginLedger, endBlock, pushReceipts } from './block-end-states.ts';
import { joinFields } from './message-fields.ts';
import type { StateForm } from './partial-state.ts';
import { type ConsensusNode, createRounds, roundsPerBlock } from './rounds.ts';
import { toUnitItems } from './unit-items.ts';

type BlockStreamHeader = { number: bigint; timestamp: bigint; hapiVersion: SemanticVersion };

type Content = {
  header: BlockStreamHeader;
  units: readonly StreamUnit[];
  nodes: readonly ConsensusNode[];
  /** The first free entity number after the block. */
  nextEntity: bigint;
  stateForm: StateForm;
  /** State changes of hinTS keys. */
  ofKeys?: readonly BlockStreamItem[];
};

/** Header, rounds with events and transactions, single values; footer and proof are made from them. */
export function toBlockStreamItems(content: Content): BlockStreamItem[] {
  const { header, units, nodes, nextEntity, stateForm, ofKeys = [] } = content;
  const { number, timestamp, hapiVersion } = header;
  const rounds = createRounds(number, nodes);
  const perRound = Math.ceil(units.length / Number(roundsPerBlock));
  const items = [writeBlockHeader(number, timestamp, hapiVersion)];
  if (number === 0n) items.push(beginLedger());
  for (let start = 0; start < units.length; start += perRound) {
    const ofRound = units.slice(start, start + perRound);
    items.push(rounds.begin(), rounds.event(ofRound[0]!.main.consensusTimestamp));
    for (const [index, unit] of ofRound.entries()) {
      // An event has several transactions, and the state signature of its node is before, between or after them.
      if (index % 3 === 2) items.push(rounds.event(unit.main.consensusTimestamp));
      if (index % 4 === 0) items.push(rounds.stateSignature());
      items.push(...toUnitItems(unit, stateForm));
    }
    items.push(rounds.stateSignature());
    items.push(
      pushReceipts(
        ofRound.flatMap((unit) => unit.items),
        nodes[0]!.nodeId,
      ),
    );
  }
  const end = units.at(-1)!.items.at(-1)!.consensusTimestamp;
  return [...items, ...ofKeys, ...endBlock({ number, start: timestamp, end, nextEntity, stateForm })];
}

function writeBlockHeader(
  number: bigint,
  timestamp: bigint,
  { major, minor, patch }: SemanticVersion,
): BlockStreamItem {
  const version = [intField(1, major), intField(2, minor), intField(3, patch)];
  const fields = [
    messageField(1, version),
    messageField(2, version),
    intField(3, number),
    bytesField(4, toTimestampMessage(timestamp)),
  ];
  return writeItem(itemKinds.blockHeader, joinFields(fields));
}
