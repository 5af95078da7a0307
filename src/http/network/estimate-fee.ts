// POST network/fees: what a transaction costs, by the fee schedule of the system file 0.0.113.
import type { FastifyInstance } from 'fastify';
import type { ExtraFee, FeeEstimate } from '../../ledger/network/estimate-fee.ts';
import { findTransactionType } from '../../protocol/hapi/transaction-types.ts';
import { dialectOf } from '../endpoint.ts';
import { authorize } from '../frame/basic-auth.ts';
import { type Refusal, RequestError, refuse } from '../frame/request-error.ts';
import type { AnswerForm, Responder } from '../frame/responder.ts';
import type { Answer, RouteContext } from '../route.ts';
import { int64, text } from '../values/kinds.ts';
import { array, members, value } from '../values/members.ts';
import { foundIn } from './missing-file.ts';
import { readTransaction } from './read-transaction.ts';

export const feeEstimatePath = '/api/v1/network/fees';
const mediaTypes = ['application/protobuf', 'application/x-protobuf'];
/** The largest transactions of the ledger have 128 KiB. */
const bodyLimit = 256 * 1024;

export function addFeeEstimate(app: FastifyInstance, context: RouteContext, responder: Responder): void {
  const { shapes } = dialectOf({ java: 'arguments' }, context.dialect);
  const cacheControl = 'public, max-age=1';
  const form: AnswerForm = { shapes, ...(shapes.cachesErrors ? { cacheControl } : {}) };
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const refusal = (error as { statusCode?: number }).statusCode === 413 ? refuse('bodyTooLarge') : error;
      void responder.respond(request, reply, () => Promise.reject(refusal), form);
    });
    scope.post(feeEstimatePath, (request, reply) => {
      const answer = async (): Promise<Answer> => {
        authorize(request.headers.authorization, context.settings);
        const estimate = await estimateOf(
          request.raw.url ?? '',
          request.headers['content-type'],
          request.body,
          context,
        );
        return { status: 200, body: feeEstimate.write(estimate), cacheControl };
      };
      void responder.respond(request, reply, answer, form);
    });
  });
}

async function estimateOf(
  target: string,
  contentType: string | undefined,
  body: unknown,
  { ledger }: RouteContext,
): Promise<FeeEstimate> {
  const [mediaType = ''] = (contentType ?? '').split(';');
  if (!mediaTypes.includes(mediaType.trim().toLowerCase())) {
    throw refuse('unsupportedMediaType', { type: contentType ?? 'application/octet-stream' });
  }
  refuseBadQuery(new URLSearchParams(target.split('?')[1] ?? ''));
  if (!Buffer.isBuffer(body) || body.length === 0) throw refuse('missingBody');
  const transaction = readTransaction(body);
  const estimate = foundIn(await ledger.network.estimateFee(transaction));
  if ('unpriced' in estimate) throw refuse('notPriced', { type: findTransactionType(transaction.type)!.name });
  return estimate;
}

/** Both modes and every throttle have one price where no state and no volume counts. */
function refuseBadQuery(query: URLSearchParams): void {
  const refusals: Refusal[] = [];
  if (!/^(?:intrinsic|state)$/i.test(query.get('mode') ?? 'intrinsic')) {
    refusals.push({ code: 'invalidParameter', data: { name: 'mode' } });
  }
  const throttle = query.get('high_volume_throttle') ?? '0';
  if (!/^[+-]?\d{1,9}$/.test(throttle)) {
    refusals.push({ code: 'invalidParameter', data: { name: 'high_volume_throttle' } });
  } else if (Number(throttle) < 0) refusals.push({ code: 'throttleTooSmall' });
  else if (Number(throttle) > 10_000) refusals.push({ code: 'throttleTooLarge' });
  if (refusals.length > 0) throw new RequestError(refusals.slice(0, 1));
}

const extra = members<ExtraFee>({
  charged: value(int64, (item) => item.charged),
  count: value(int64, (item) => item.count),
  fee_per_unit: value(int64, (item) => item.feePerUnit),
  included: value(int64, (item) => item.included),
  name: value(text, (item) => item.name),
  subtotal: value(int64, (item) => item.subtotal),
});
const part = members<FeeEstimate['node']>({
  base: value(int64, ({ base }) => base),
  extras: array(extra, ({ extras }) => extras),
});
const feeEstimate = members<FeeEstimate>({
  // 1 = no price of high volume.
  high_volume_multiplier: value(int64, () => 1n),
  network: value(
    members<FeeEstimate['network']>({
      multiplier: value(int64, ({ multiplier }) => multiplier),
      subtotal: value(int64, ({ subtotal }) => subtotal),
    }),
    ({ network }) => network,
  ),
  node: value(part, ({ node }) => node),
  service: value(part, ({ service }) => service),
  total: value(int64, ({ total }) => total),
});
