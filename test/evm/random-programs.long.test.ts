// More of them.
import './random-programs.test.ts';
