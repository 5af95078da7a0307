// More requests.
import './fuzz.test.ts';
