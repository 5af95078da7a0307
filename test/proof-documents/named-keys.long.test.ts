// With more flipped bits.
import './named-keys.test.ts';
