// More requests.
import './same-answers.test.ts';
