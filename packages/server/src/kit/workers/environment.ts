/**
 * The environment of every thread. It has no secrets, and names the folder in which Node.js keeps compiled modules: with it, a
 * thread starts in half the time.
 */
export const threadEnvironment = (): Record<string, string> => {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
};
