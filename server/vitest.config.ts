import { configDefaults, defineConfig } from 'vitest/config'
import { isLong } from './test/long-run.ts'

/** `npm run test:long` runs the long tests alone, `npm test` all others. */
const files = isLong ? '*.long.test.ts' : '*.test.ts'

export default defineConfig({
  // The contract's sources, so that tests never run against a stale build.
  ssr: { resolve: { conditions: ['neuroloom-source'], externalConditions: ['neuroloom-source'] } },
  test: {
    include: [`src/**/${files}`, `test/**/${files}`],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : ['**/*.long.test.ts'])],
    globalSetup: ['test/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Reading all sources anew for each file costs more than most tests. What a file changes it gives back.
    isolate: false,
    restoreMocks: true,
    // An end for what hangs, not a measure: beside other work a training of seconds takes minutes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
})
