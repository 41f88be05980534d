/**
 * A Vitest reporter: writes to the file named by TEST_REPORT, one JSON line at a time, what the run will execute, each file
 * when it has ended, and last the errors. A run that is killed leaves the lines up to there.
 */
import { appendFileSync } from 'node:fs'

export default class TestReport {
  #wanted = []
  #ended = new Set()

  onTestRunStart(specifications) {
    this.#wanted = specifications.map(({ moduleId }) => moduleId)
    write({ wanted: this.#wanted })
  }

  onTestModuleEnd(module) {
    this.#ended.add(module.moduleId)
    write({ file: describe(module) })
  }

  onTestRunEnd(modules, errors) {
    // A worker that died has begun a file and never ended it.
    for (const module of modules.filter(({ moduleId }) => !this.#ended.has(moduleId))) {
      write({ file: describe(module) })
    }
    const seen = new Set(modules.map(({ moduleId }) => moduleId))
    write({
      // With `isolate: false` a worker that dies takes all of its later files with it: they are in no list at all.
      neverRan: this.#wanted.filter((name) => !seen.has(name)),
      // An error outside any test names the file it came from; the error of a dead worker names none.
      errors: errors.map(({ message, VITEST_TEST_PATH }) => ({ message, file: VITEST_TEST_PATH ?? null })),
    })
  }
}

function describe(module) {
  const { duration, collectDuration, setupDuration, environmentSetupDuration } = module.diagnostic()
  return {
    name: module.moduleId,
    // 'failed' also where a hook or an import failed and no test did: its tests are 'skipped' then.
    state: module.state(),
    seconds: (duration + collectDuration + setupDuration + environmentSetupDuration) / 1000,
    tests: [...module.children.allTests()].map((test) => {
      const { state, errors } = test.result()
      return { name: test.fullName, state, message: errors?.[0]?.message }
    }),
    errors: [...errorsOf(module)],
  }
}

/** Of the file and of its groups: a hook of a `describe` that fails is told there. */
function* errorsOf(suite) {
  for (const { message } of suite.errors()) yield message
  for (const inner of suite.children.suites()) yield* errorsOf(inner)
}

function write(line) {
  appendFileSync(process.env.TEST_REPORT, `${JSON.stringify(line)}\n`)
}
