import { basename } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isLong } from './is-long.ts'
import longest from './longest.json' with { type: 'json' }

/** Longest first, so that none of them begins when the others have ended; a file that the list does not name begins at once. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => longest.indexOf(basename(moduleId, '.test.ts'))
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  resolve: { conditions: ['neuroloom-source'] },
  // Node looks for what packages require by these as well: with `import` among them, PostgreSQL's client would get modules.
  ssr: { resolve: { conditions: ['neuroloom-source'], externalConditions: ['neuroloom-source'] } },
  test: {
    include: isLong ? ['long/*.test.ts'] : ['*.test.ts'],
    globalSetup: ['./first-start.ts'],
    setupFiles: ['./on-failure.ts'],
    // Each with a product and a browser of its own.
    maxWorkers: 2,
    // Tests that say they may: one waits for the server while the others draw.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    // An end for what hangs: in the long run all pages of a language take five minutes on a busy machine of two slow cores.
    testTimeout: isLong ? 1_200_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
  },
})
