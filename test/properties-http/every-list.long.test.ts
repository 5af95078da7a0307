// With more questions to each list.
import './every-list.test.ts';
