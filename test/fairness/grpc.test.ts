// One address has all streams of gRPC: of topics, of health, and conversations about the services; others get theirs.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { entityRow } from '../../packages/test-support/rpc/chain-rows.ts';
import { openGrpc } from '../../packages/test-support/rpc/open-grpc.ts';
import { topicRows } from '../../packages/test-support/rpc/topic-rows.ts';
import { type GrpcCall, honest, hostile, openGrpcConnection, settle } from '../support/fairness.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
