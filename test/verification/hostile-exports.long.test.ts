// With more flipped bits.
import './hostile-exports.test.ts';
