/** Runs the Vitest tests of a room, and says what is broken: a file, an error outside any test, or the part as a whole. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'
import { root } from './setup.mjs'

const reporter = fileURLToPath(new URL('test-report.mjs', import.meta.url))

/**
 * Answers `{ passed, failed, skipped, broken, files }`. Each of `broken` is `{ part, file, failed, counts }`: `file` is null
 * for the part as a whole, `failed` has `{ name, message }` with a name of null for what failed outside any test.
 */
export async function runVitest(part, only = [], { folder = root, ...options } = {}) {
  const results = []
  let [args, wanted] = [only, null]
  do {
    const result = await runOnce(part, args, folder, options)
    const isExpected = ({ name }) => wanted === null || wanted.includes(name)
    results.push({ ...result, files: result.files.filter(isExpected) })
    // What a dead worker took with it runs at once, as it would have. Each round has at least one file less.
    const isFewer = wanted === null || result.neverRan.length < wanted.length
    wanted = isFewer ? result.neverRan : []
    if (!isFewer)
      results.push({ files: [], whole: [`never ran: ${result.neverRan.map(short(folder)).join(', ')}`] })
    args = wanted
  } while (wanted.length > 0)
  return sumUp(part, results, folder)
}

/** One run of Vitest. `whole` are messages of what no file is to blame for. */
async function runOnce(part, args, folder, options) {
  const report = join(folder, '.cache', `test-${part}.jsonl`)
  mkdirSync(dirname(report), { recursive: true })
  rmSync(report, { force: true })
  const { status, isOverdue } = await run(
    process.execPath,
    [
      join(folder, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--root', part, '--reporter=default', `--reporter=${reporter}`, ...args],
    ],
    { cwd: folder, env: { ...process.env, TEST_REPORT: report }, ...options },
  )
  const lines = readLines(report)
  const files = lines.flatMap(({ file }) => file ?? [])
  const { wanted = [], neverRan, errors } = Object.assign({}, ...lines)
  if (isOverdue) {
    const silent = wanted.filter((name) => !files.some((file) => file.name === name))
    return { files, neverRan: [], whole: [overdue(options.limitMs, silent.map(short(folder)))] }
  }
  if (!errors) return { files, neverRan: [], whole: [`ended with status ${status} and without a report`] }
  const unclaimed = blame(files, errors)
  const isBad = files.some(isBroken) || unclaimed.length > 0
  const whole = isBad || status === 0 ? unclaimed : [`ended with status ${status}, though no test failed`]
  return { files, neverRan, whole }
}

const readLines = (report) =>
  existsSync(report)
    ? readFileSync(report, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

/** Gives each error outside any test to its file; one without a file is that of the files that never ended. Answers the rest. */
function blame(files, errors) {
  const unclaimed = []
  for (const { message, file } of errors) {
    const guilty = files.filter((one) => (file === null ? !hasEnded(one) : one.name === file))
    for (const one of guilty) one.errors.push(message)
    if (guilty.length === 0) unclaimed.push(message)
  }
  return unclaimed
}

const hasEnded = ({ state }) => ['passed', 'failed', 'skipped'].includes(state)
const isBroken = (file) => !hasEnded(file) || file.state === 'failed' || file.errors.length > 0

function sumUp(part, results, folder) {
  const files = results.flatMap((result) => result.files)
  const broken = [
    ...files.filter(isBroken).map((file) => {
      const failed = failuresOf(file)
      const counts = { ...countsOf(file), failed: failed.length }
      return { part, file: short(folder)(file.name), failed, counts }
    }),
    ...results.flatMap(({ whole }) => whole).map((message) => brokenPart(part, message)),
  ]
  const sum = (key) => files.reduce((total, file) => total + countsOf(file)[key], 0)
  return {
    passed: sum('passed'),
    failed: broken.reduce((total, { counts }) => total + counts.failed, 0),
    skipped: sum('skipped'),
    broken,
    files: files.map((file) => ({
      name: short(folder)(file.name),
      seconds: file.seconds,
      passedTests: namesOf(file, 'passed'),
    })),
  }
}

export function brokenPart(part, message) {
  return { part, file: null, failed: [{ name: null, message }], counts: { passed: 0, failed: 1, skipped: 0 } }
}

export const overdue = (limitMs, files) =>
  `did not end within ${(limitMs / 60_000).toFixed(1)} minutes; no answer of ${files.join(', ') || 'any file'}`

/** Tests that failed, then what failed outside any test: a hook, an import, a promise that nobody awaited. */
function failuresOf({ tests, errors, state }) {
  const failed = tests
    .filter((test) => test.state === 'failed')
    .map(({ name, message }) => ({ name, message }))
  const outside = errors.map((message) => ({ name: null, message }))
  const all = [...failed, ...outside]
  return all.length > 0 ? all : [{ name: null, message: `never ended: it was ${state}` }]
}

const countsOf = (file) => ({
  passed: namesOf(file, 'passed').length,
  skipped: namesOf(file, 'skipped').length,
})

const namesOf = ({ tests }, state) => tests.filter((test) => test.state === state).map(({ name }) => name)

const short = (folder) => (name) => relative(folder, name)
