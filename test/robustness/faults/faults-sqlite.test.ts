import { runShortTrials } from './short-trials.ts';

runShortTrials('sqlite');
