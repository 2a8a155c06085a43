const MEGABYTES = 32;

/**
 * Returns the processor time that this machine takes now to copy 32 MB into new memory, in milliseconds. On a virtual machine
 * whose host takes memory back, it can change tenfold within an hour. It is the floor for the handling of a large request.
 */
export function copyingMs(): number {
  const parts = Array.from({ length: MEGABYTES * 16 }, () => Buffer.alloc(65_536, 1));
  const before = process.cpuUsage();
  Buffer.concat(parts);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
