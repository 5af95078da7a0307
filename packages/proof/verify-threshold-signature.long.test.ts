// With more changed bits.
import './verify-threshold-signature.test.ts';
