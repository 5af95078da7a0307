// What the Hiero mirror node's REST service took for the same requests: one Node process with its defaults over PostgreSQL
// 15 on a machine of 2 cores, 16 connections, the ledger of scale 1, November 2026. It runs nowhere beside this benchmark:
// only CPU a request carries over.

/** CPU times are ms a request, of the service and of its PostgreSQL. */
export type HieroFigures = { perSecond: number; serverCpuMs: number; postgresCpuMs: number };

const of = (perSecond: number, serverCpuMs: number, postgresCpuMs: number): HieroFigures => ({
  perSecond,
  serverCpuMs,
  postgresCpuMs,
});

/** By request. */
export const hieroFigures: Readonly<Record<string, HieroFigures>> = {
  'tokens/{id}': of(1699, 0.51, 0.33),
  'tokens/{id}?timestamp=': of(991, 0.57, 1.05),
  'accounts/{id}?transactions=false': of(1174, 0.62, 0.65),
  'accounts/{evm address}?transactions=false': of(1470, 0.47, 0.56),
  'accounts/{alias}?transactions=false': of(1630, 0.4, 0.57),
  'accounts/{id} with transactions': of(454, 1.38, 2.26),
  'accounts/{id}, hot account': of(220, 3.39, 3.87),
  'contracts/{id}': of(1496, 0.57, 0.41),
  'contracts/{evm address}': of(1610, 0.49, 0.44),
  'contracts/results': of(277, 3.61, 1.91),
  'contracts/results?from=': of(470, 1.87, 1.28),
  'contracts/results?block.number=': of(501, 1.68, 1.48),
  'contracts/results?internal=true': of(378, 2.6, 1.5),
  'contracts/results, timestamp range': of(260, 3.79, 2.04),
  schedules: of(555, 1.71, 0.63),
  'schedules/{id}': of(1979, 0.37, 0.35),
};
