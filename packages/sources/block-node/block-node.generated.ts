// Made by scripts/generate-messages.mjs from the .proto file of this name.
import type Long from 'long';

export type BlockNodeMessages = {
  ServerStatusRequest: Record<string, never>;
  /** The largest uint64 stands for what is not known. A node without blocks says it for the first and the last one; for the last one alone, serverStatusDetail says which blocks there are. */
  ServerStatusResponse: {
    firstAvailableBlock: Long;
    lastAvailableBlock: Long;
    onlyLatestState: boolean;
    /** From those who publish. Older nodes leave it out. */
    nextExpectedBlock: Long;
  };
  /** One of field 2, available_ranges, of ServerStatusDetailResponse. Both ends are of the range. */
  BlockRange: {
    rangeStart: Long;
    rangeEnd: Long;
  };
  /** The largest uint64 as the end: on and on. */
  SubscribeStreamRequest: {
    startBlockNumber: Long;
    endBlockNumber: Long;
  };
  SubscribeStreamResponse: {
    /** The last message of a stream. */
    status: number;
    /** BlockItemSet */
    blockItems: Buffer;
    endOfBlock: BlockNodeMessages['BlockEnd'] | null;
  };
  BlockEnd: {
    blockNumber: Long;
  };
};
