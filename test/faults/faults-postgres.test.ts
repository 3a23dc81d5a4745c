import { playShortForm } from './short-form.ts';

playShortForm('postgres');
