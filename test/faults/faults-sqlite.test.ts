import { playShortForm } from './short-form.ts';

playShortForm('sqlite');
