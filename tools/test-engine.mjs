/** Runs the engine's tests: `engine/tests/run.py` says of each file how it went, as one JSON line. Answers like runVitest. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'
import { root } from './setup.mjs'
import { brokenPart, overdue } from './test-vitest.mjs'

/** `only` names test files without `.py`; none means all. */
export async function runEngine(only, { limitMs, isLong = false }) {
  const args = ['-m', 'tests.run', ...(isLong ? ['--long'] : []), ...only]
  const { status, output, isOverdue } = await run(process.env.ENGINE_PYTHON, args, {
    cwd: join(root, 'engine'),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    stdout: 'pipe',
    limitMs,
  })
  const results = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const silent = (only.length > 0 ? only.map((name) => `${name}.py`) : testFiles()).filter(
    (name) => !results.some(({ file }) => file === name),
  )
  const broken = [...results.filter(({ failed }) => failed.length > 0).map(brokenFile)]
  if (isOverdue) broken.push(brokenPart('engine', overdue(limitMs, silent)))
  // A process that dies takes the whole pool with it.
  else broken.push(...silent.map(silentFile))
  if (broken.length === 0 && status !== 0) broken.push(brokenPart('engine', `ended with status ${status}`))
  return {
    passed: results.reduce((sum, { passed }) => sum + passed.length, 0),
    failed: broken.reduce((sum, { counts }) => sum + counts.failed, 0),
    skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
    broken,
    files: results.map(({ file, seconds, passed }) => ({ name: pathOf(file), seconds, passedTests: passed })),
  }
}

const brokenFile = ({ file, failed, passed, skipped }) => ({
  part: 'engine',
  file: pathOf(file),
  failed,
  counts: { passed: passed.length, failed: failed.length, skipped },
})

const silentFile = (file) => ({
  ...brokenPart('engine', 'its process ended before it answered'),
  file: pathOf(file),
})

const pathOf = (file) => `engine/tests/${file}`

const testFiles = () =>
  readdirSync(join(root, 'engine', 'tests')).filter((name) => /^test_.*\.py$/.test(name))
