import os from 'node:os';

const PRIORITY_BELOW_SERVER = 5;

interface Internals {
  /** Returns 0, or an error of the system. `process.kill` calls it. */
  _kill(pid: number, signal: number): number;
  _debugProcess?(pid: number): void;
}

/**
 * Lets the process send signals to itself only: Node's permission model does not cover them. Also lowers its priority, since a
 * definition can keep a processor busy, and requests to the server come first.
 */
export function guardProcesses() {
  const { getPriority, setPriority, constants } = os;
  setPriority(Math.min(getPriority() + PRIORITY_BELOW_SERVER, constants.priority.PRIORITY_LOW));
  os.setPriority = () => {
    throw new Error('A connector on the server cannot change priorities.');
  };
  const internals = process as unknown as Internals;
  const { pid } = process;
  const send = internals._kill.bind(process);
  internals._kill = (to, signal) => ((to | 0) === pid ? send(pid, signal) : -constants.errno.EPERM);
  // Opens the debugger of another process.
  delete internals._debugProcess;
}
