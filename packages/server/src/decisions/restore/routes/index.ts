export { restoreRoutes } from './restore-access.ts';
