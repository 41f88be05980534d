import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The contract's sources, so that tests never run against a stale build.
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Reading all sources anew for each file costs more than most tests. What a file changes it gives back.
    isolate: false,
    restoreMocks: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
