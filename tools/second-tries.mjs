/** What failed beside other work is tried once more, alone: many a failure by chance is gone then, no real one is. */
import { stripVTControlCharacters } from 'node:util'

/** More broken files than these are no chance. */
const MOST_FILES = 6
const WITHIN_MS = 15 * 60_000

/**
 * Runs each broken file again (`runAgain(broken, limitMs)` answers like a part) and returns those that passed, each with
 * the counts of its second try as `again`. What is no file (a check, a part that ended without a report) has no second try.
 */
export async function secondTries(broken, runAgain, { withinMs = WITHIN_MS } = {}) {
  const files = broken.filter(({ file }) => file !== null)
  if (process.env.SECOND_TRY === '0' || files.length > MOST_FILES) return []
  const end = Date.now() + withinMs
  const passed = []
  for (const one of files) {
    const leftMs = end - Date.now()
    if (leftMs <= 0) break
    const again = await runAgain(one, leftMs)
    if (hasPassed(one, again)) passed.push({ ...one, again: countsOf(again) })
  }
  return passed
}

/** The very tests that failed must have run and passed, and the file as a whole. */
function hasPassed({ file, failed }, again) {
  const passedTests = again.files.filter(({ name }) => name === file).flatMap((one) => one.passedTests)
  return (
    again.failed === 0 &&
    passedTests.length > 0 &&
    failed.every(({ name }) => name === null || passedTests.includes(name))
  )
}

const countsOf = ({ passed, failed, skipped }) => ({ passed, failed, skipped })

/** One line a failure: file, test, and the first line of its message. */
export function failureLines(broken) {
  return broken.flatMap(({ part, file, failed }) =>
    failed.map(({ name, message }) => lineOf(file ?? part, name, message)),
  )
}

/** The same for what passed on the second try, with whether the register (docs/unsteady.md) has it. */
export function secondTryLines(passed, register) {
  return passed.flatMap(({ file, failed }) =>
    failed.map(({ name, message }) => {
      const isKnown = isRegistered(register, file, name)
      const note = isKnown ? 'known: docs/unsteady.md' : 'new: write it into docs/unsteady.md'
      return `${lineOf(file, name, message)} (${note})`
    }),
  )
}

function lineOf(file, name, message) {
  const title = name === null ? file : `${file} > ${name}`
  return `${title}: ${stripVTControlCharacters(message ?? '')
    .split('\n')[0]
    .slice(0, 300)}`
}

const isRegistered = (register, file, name) =>
  register
    .split('\n')
    .some((line) => line.startsWith('|') && line.includes(file) && line.includes(name ?? ''))
