/** Returns a number with its noun: "1 record", "2 records". */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
