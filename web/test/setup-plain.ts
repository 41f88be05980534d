/** For tests of what draws nothing. */
import { afterEach, beforeAll, vi } from 'vitest'
import { startI18n } from '../src/lib/i18n.ts'

beforeAll(() => startI18n({ language: 'en' }))

afterEach(() => {
  vi.unstubAllGlobals()
})
