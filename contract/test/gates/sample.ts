/** What the gates are shown in the short run; in the long run they are shown all. */
export const isLong = process.env.TESTS === 'long'

export const third = <T>(all: readonly T[]): readonly T[] =>
  isLong ? all : all.filter((_, index) => index % 3 === 0)
