import { describe, expect, it } from 'vitest';
import type { DayRecord } from '../../status-state.ts';
import { describeDay, formatUptime, formatUptimeBars } from './uptime-bars.ts';
import { calculateUptime, findDayState, isEventful, listUptimeDays, type UptimeDay } from './uptime-days.ts';

const hour = 3600;
const component = { id: 'c1', createdAt: Date.UTC(2020, 0, 1) };

/** Records of component c1 by date; what is not named is 0. */
function records(days: Record<string, Partial<DayRecord['seconds']>>): Record<string, DayRecord> {
  const none = {
    operational: 0,
    under_maintenance: 0,
    degraded_performance: 0,
    partial_outage: 0,
    major_outage: 0,
    no_data: 0,
  };
  return Object.fromEntries(
    Object.entries(days).map(([date, seconds]) => [
      `${date}/c1`,
      { componentId: 'c1', date, seconds: { ...none, ...seconds } },
    ]),
  );
}

describe('days', () => {
  const noon = Date.UTC(2026, 2, 1, 12);

  it('each calendar day has its place, over the ends of months and leap years', () => {
    const leap = listUptimeDays({}, component, Date.UTC(2028, 2, 1, 0, 0, 1), 3);
    expect(leap.map(({ date }) => date)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
    const turn = listUptimeDays({}, component, Date.UTC(2027, 0, 1), 2);
    expect(turn.map(({ date }) => date)).toEqual(['2026-12-31', '2027-01-01']);
  });

  it('90 of them, also over the changes to and from summer time', () => {
    for (const now of [
      Date.UTC(2026, 2, 29, 1, 30),
      Date.UTC(2026, 9, 25, 1, 30),
      Date.UTC(2026, 10, 21, 23, 59, 59, 999),
    ]) {
      const dates = listUptimeDays({}, component, now).map(({ date }) => date);
      expect(new Set(dates).size).toBe(90);
      expect(dates.at(-1)).toBe(new Date(now).toISOString().slice(0, 10));
      expect(dates[0]).toBe(new Date(now - 89 * 86_400_000).toISOString().slice(0, 10));
    }
  });

  const cases: [
    name: string,
    days: Record<string, Partial<DayRecord['seconds']>>,
    createdAt: number,
    UptimeDay['seconds'][],
  ][] = [
    ['nothing recorded: no data', {}, component.createdAt, [{ no_data: 24 * hour }, { no_data: 12 * hour }]],
    [
      'what is missing of a day is no data',
      { '2026-02-28': { operational: 20 * hour, major_outage: hour }, '2026-03-01': { operational: 12 * hour } },
      component.createdAt,
      [
        { operational: 20 * hour, major_outage: hour, no_data: 3 * hour },
        { operational: 12 * hour, no_data: 0 },
      ],
    ],
    [
      'recorded holes are kept',
      { '2026-02-28': { operational: 22 * hour, no_data: 2 * hour } },
      component.createdAt,
      [{ operational: 22 * hour, no_data: 2 * hour }, { no_data: 12 * hour }],
    ],
    [
      'a clock that was set back lives hours twice: no hole',
      { '2026-02-28': { operational: 25 * hour }, '2026-03-01': { operational: 13 * hour } },
      component.createdAt,
      [
        { operational: 25 * hour, no_data: 0 },
        { operational: 13 * hour, no_data: 0 },
      ],
    ],
    [
      'a clock that was ahead has left days to come: they are not shown',
      { '2026-03-01': { operational: 12 * hour }, '2026-03-05': { major_outage: hour } },
      component.createdAt,
      [{ no_data: 24 * hour }, { operational: 12 * hour, no_data: 0 }],
    ],
    [
      'the hours before a component was there are no hole',
      { '2026-03-01': { operational: hour } },
      noon - hour * 1000,
      [{ no_data: 0 }, { operational: hour, no_data: 0 }],
    ],
  ];
  it.each(cases)('%s', (_name, days, createdAt, expected) => {
    const shown = listUptimeDays(records(days), { id: 'c1', createdAt }, noon, 2);
    expect(shown.map(({ seconds }) => withoutZeros(seconds))).toEqual(expected.map(withoutZeros));
  });

  it('days of other components are theirs', () => {
    expect(listUptimeDays(records({ '2026-03-01': { major_outage: 9 } }), { ...component, id: 'c2' }, noon, 1)).toEqual(
      [{ date: '2026-03-01', seconds: { no_data: 12 * hour } }],
    );
  });
});

function withoutZeros(seconds: UptimeDay['seconds']): UptimeDay['seconds'] {
  return Object.fromEntries(Object.entries(seconds).filter(([, value]) => value !== 0));
}

describe('what a day is called', () => {
  const day = (seconds: UptimeDay['seconds']): UptimeDay => ({ date: '2026-03-01', seconds });
  const cases: [UptimeDay['seconds'], state: string, eventful: boolean, words: string][] = [
    [{}, 'no_data', false, '2026-03-01: no data'],
    [{ no_data: 24 * hour }, 'no_data', false, '2026-03-01: no data for 24 h'],
    [{ operational: 24 * hour }, 'operational', false, '2026-03-01: operational'],
    [{ operational: 24 * hour - 59, no_data: 59 }, 'operational', false, '2026-03-01: no data for 59 s'],
    [{ operational: 20 * hour, no_data: 4 * hour }, 'operational', true, '2026-03-01: no data for 4 h'],
    [{ operational: 1, under_maintenance: 90 }, 'under_maintenance', true, '2026-03-01: under maintenance for 2 min'],
    [
      { under_maintenance: 9, degraded_performance: 1 },
      'degraded_performance',
      true,
      '2026-03-01: degraded performance for 1 s, under maintenance for 9 s',
    ],
    [
      { degraded_performance: 9, partial_outage: 1 },
      'partial_outage',
      true,
      '2026-03-01: partial outage for 1 s, degraded performance for 9 s',
    ],
    [{ operational: 85_000, major_outage: 11_520 }, 'major_outage', true, '2026-03-01: major outage for 3 h 12 min'],
  ];
  it.each(cases)('%j', (seconds, state, eventful, words) => {
    expect([findDayState(day(seconds)), isEventful(day(seconds)), describeDay(day(seconds))]).toEqual([
      state,
      eventful,
      words,
    ]);
  });

  const shares: [UptimeDay['seconds'], string][] = [
    [{}, 'nothing measured yet'],
    [{ no_data: 5, under_maintenance: 5 }, 'nothing measured yet'],
    [{ operational: 5, no_data: 500 }, '100 % up in 5 s measured'],
    [{ operational: 50, degraded_performance: 50 }, '100 % up in 2 min measured'],
    [{ operational: 1_000_000, major_outage: 1 }, '99.99 % up in 11 d 13 h measured'],
    [{ operational: 50, partial_outage: 25, major_outage: 25 }, '50.00 % up in 2 min measured'],
    [{ major_outage: 1 }, '0.00 % up in 1 s measured'],
    [{ operational: 240, no_data: 7_775_760 }, '100 % up in 4 min measured'],
  ];
  it.each(shares)('share of measured time up of %j: %s', (seconds, words) => {
    expect(formatUptime(calculateUptime([day(seconds)]))).toBe(words);
  });

  it('every state has its own shape, not only a colour', () => {
    const shapes = (
      ['operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance', 'no_data'] as const
    ).map((state) => /<path class="\w+" d="([^"]+)"/.exec(formatUptimeBars('x', [day({ [state]: 1 })]).markup)?.[1]);
    expect(new Set(shapes).size).toBe(6);
    expect(shapes).not.toContain(undefined);
  });

  it('bars say in words what they show', () => {
    const { markup: svg } = formatUptimeBars('A & B', [
      day({}),
      day({ operational: 9 }),
      day({ operational: 9 }),
      day({ major_outage: 60 }),
    ]);
    expect(svg).toContain('aria-label="A &#38; B, last 4 days: 1 major outage, 2 operational, 1 no data"');
    expect(svg).toContain('<title>2026-03-01: major outage for 1 min</title>');
    expect(svg.match(/<title>/g)).toHaveLength(1);
  });
});
