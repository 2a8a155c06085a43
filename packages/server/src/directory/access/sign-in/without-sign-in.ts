export { type SignsNotIn, withoutSignIn } from './queries/people.ts';
