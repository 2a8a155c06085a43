import { yieldToRequests } from '#kit/workers/priority.ts';

yieldToRequests();

// Loading it takes longer than reading a small file, and is as little urgent.
await import('./read-task.ts');
