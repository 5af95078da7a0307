import { describe, expect, it } from 'vitest';
import { judge, type Minute } from './verdict.ts';

type Shape = {
  memoryMb?(minute: number): number;
  files?(minute: number): number;
  pid?(minute: number): number;
  p99?(minute: number): number;
  disturbed?(minute: number): boolean;
  diskMb?(minute: number): number;
  blocks?(minute: number): number;
  sockets?(minute: number): number;
  followers?(minute: number): Minute['followers'];
  checks?(minute: number): number;
  postgresMb?(minute: number): number;
};

const follows = (name: string, came = 60, ...ends: string[]): Minute['followers'] => ({ [name]: { came, ends } });

/** 150 minutes of one part and one kind of request. */
function run({
  memoryMb = () => 200,
  files = () => 60,
  pid = () => 7,
  p99 = () => 20,
  disturbed = () => false,
  diskMb = (minute) => 500 + minute,
  blocks = (minute) => 60 * minute,
  sockets = () => 40,
  followers = () => follows('heads'),
  checks = () => 1,
  postgresMb = () => 100,
}: Shape): string[] {
  const minutes = Array.from(
    { length: 150 },
    (_, minute): Minute => ({
      minute,
      isDisturbed: disturbed(minute),
      parts: {
        serve:
          pid(minute) === 0
            ? null
            : { pid: pid(minute), memoryMb: memoryMb(minute), files: files(minute), sockets: sockets(minute) },
        PostgreSQL: { pid: 3, memoryMb: postgresMb(minute), files: 0, sockets: 0 },
      },
      p99: { REST: p99(minute) },
      blocks: blocks(minute),
      diskMb: diskMb(minute),
      followers: followers(minute),
      checks: checks(minute),
    }),
  );
  return judge(minutes);
}

describe('all is well', () => {
  it.each<[string, Shape]>([
    ['where nothing changes', {}],
    ['where memory grows in the first minutes alone', { memoryMb: (minute) => 100 + 10 * Math.min(20, minute) }],
    [
      'where connections of a server that was started again come anew',
      { pid: (m) => (m < 68 ? 7 : 8), postgresMb: (m) => 80 + 2 * Math.max(0, Math.min(20, m - 68)) },
    ],
    ['where one minute holds more', { memoryMb: (minute) => (minute === 145 ? 900 : 200) }],
    [
      'where a killed process begins small again',
      { pid: (m) => (m < 40 ? 7 : 8), memoryMb: (m) => (m < 40 ? 300 : 200) },
    ],
    ['where disturbed minutes are slow', { p99: (m) => (m > 120 ? 900 : 20), disturbed: (m) => m > 120 }],
    [
      'where connections end in disturbed minutes',
      {
        disturbed: (m) => m === 30,
        followers: (m) => (m === 30 ? follows('heads', 0, 'close 1006') : follows('heads')),
      },
    ],
    ['where nothing comes of a topic', { followers: (m) => follows('gRPC topic 1001', m < 40 ? 3 : 0) }],
    ['where contracts are checked now and then', { checks: (m) => (m % 10 === 0 ? 1 : 0) }],
    ['where the disk grows with the blocks', { blocks: (m) => m * m, diskMb: (m) => 500 + (m * m) / 50 }],
  ])('%s', (_name, shape) => {
    expect(run(shape)).toEqual([]);
  });
});

describe('is told', () => {
  it.each<[string, Shape, string | string[]]>([
    ['memory that grows', { memoryMb: (m) => 200 + m }, 'serve: memory from 225 MB to 345 MB'],
    [
      'memory that grows in one late step',
      { memoryMb: (m) => (m < 135 ? 200 : 230) },
      'serve: memory from 200 MB to 230 MB',
    ],
    [
      'connections that take ever more',
      { pid: (m) => (m < 68 ? 7 : 8), postgresMb: (m) => 80 + m },
      'PostgreSQL: memory from 173 MB to 225 MB',
    ],
    ['files that stay open', { files: (m) => 60 + m }, 'serve: open files from 89 to 209'],
    ['sockets that stay open', { sockets: (m) => 40 + m }, 'serve: open sockets from 69 to 189'],
    [
      'a connection that ends without a fault',
      { followers: (m) => (m === 30 ? follows('gRPC topic 1001', 2, 'OK', 'UNAVAILABLE') : {}) },
      'gRPC topic 1001: ended in minute 30: OK, UNAVAILABLE',
    ],
    [
      'a client that stays connected and gets nothing',
      { followers: (m) => follows('events of blocks', m === 100 ? 0 : 60) },
      'events of blocks: nothing came in minute 100',
    ],
    [
      'contracts that are no longer checked',
      { checks: (m) => (m < 70 ? 1 : 0) },
      'no contract was checked in the last half',
    ],
    [
      'a part that is gone',
      { pid: (m) => (m > 140 ? 0 : 7) },
      ['serve: does not run at the end', 'PostgreSQL: lived too short after its last start to be judged'],
    ],
    [
      'a part that was started late',
      { pid: (m) => (m > 115 ? 8 : 7) },
      [
        'serve: lived too short after its last start to be judged',
        'PostgreSQL: lived too short after its last start to be judged',
      ],
    ],
    ['requests that wait longer', { p99: (m) => 20 + m }, 'REST: p99 from 50 to 140 ms'],
    [
      'a disk that grows by more than blocks',
      { diskMb: (m) => 500 + m + (m > 75 ? 3 * (m - 75) : 0) },
      'disk: 17.1 KB a block, then 68.3',
    ],
    ['blocks that no longer arrive', { blocks: (m) => 60 * Math.min(m, 70) }, 'no blocks arrived'],
  ])('%s', (_name, shape, sentence) => {
    expect(run(shape)).toEqual([sentence].flat());
  });

  it('nothing measured', () => {
    expect(judge([])).toEqual(['no minute was measured']);
  });
});
