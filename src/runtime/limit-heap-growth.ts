// Keeps the process small. Left alone, V8 lets what is alive grow about fourfold before it collects: with large answers at
// 64 connections the server then takes 286 MB, at 50 % 175 MB; the import of large blocks 423 MB, at 100 % 275 MB.
import { setFlagsFromString } from 'node:v8';

/** By how much what is alive may grow between two collections; can be changed at any time. */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
