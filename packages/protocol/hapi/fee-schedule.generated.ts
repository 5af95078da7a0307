// Made by scripts/generate-messages.mjs from the .proto file of this name.
import type Long from 'long';

export type FeeScheduleMessages = {
  FeeSchedule: {
    node: FeeScheduleMessages['NodeFee'] | null;
    network: FeeScheduleMessages['NetworkFee'] | null;
    extras: FeeScheduleMessages['ExtraFee'][];
    services: FeeScheduleMessages['ServiceFees'][];
  };
  NodeFee: {
    baseFee: Long;
    extras: FeeScheduleMessages['ExtraReference'][];
  };
  NetworkFee: {
    multiplier: number;
  };
  ExtraFee: {
    name: number;
    fee: Long;
  };
  ServiceFees: {
    name: string;
    schedule: FeeScheduleMessages['ServiceFee'][];
  };
  ServiceFee: {
    /** HederaFunctionality. */
    name: number;
    baseFee: Long;
    extras: FeeScheduleMessages['ExtraReference'][];
    free: boolean;
  };
  ExtraReference: {
    name: number;
    includedCount: number;
  };
};
