/** Tests of a journey that only `npm run test:long` makes; in the short run nothing is told of them. */
import { describe, test } from 'vitest'
import { isLong } from './is-long.ts'

export const longTest: (name: string, run: () => Promise<void>) => void = isLong ? test : () => undefined

export const longTests: (name: string, tell: () => void) => void = isLong ? describe : () => undefined
