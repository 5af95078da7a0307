// Before more blocks.
import './state-before.test.ts';
