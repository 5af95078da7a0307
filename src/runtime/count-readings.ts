// A clock that counts how often it is read: what was made without a reading does not depend on the time of day.

type CountedClock = { clock: () => bigint; readings(): number };

export function countReadings(clock: () => bigint): CountedClock {
  let count = 0;
  return {
    clock() {
      count += 1;
      return clock();
    },
    readings: () => count,
  };
}
