// Of one more network, which writes a block stream.
import './genesis-fees.test.ts';
