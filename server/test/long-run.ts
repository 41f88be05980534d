/** What the long run holds against the clock; the short one does not: beside other work a standstill of seconds is the machine's. */
export const isLong = process.env.TESTS === 'long'

export const inLongRun = (ms: number): number => (isLong ? ms : Number.POSITIVE_INFINITY)
