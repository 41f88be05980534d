/** What a test run took: by part, by file, and how busy the machine's cores were meanwhile. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** Files quicker than this stand together in one line. */
const NAMED_FROM_SECONDS = 8

/** Starts now; the answer gives seconds since and the share of the cores that was busy (null where the system does not tell). */
export function busyClock() {
  const start = performance.now()
  const before = cores()
  return () => {
    const after = cores()
    const all = before && after ? after.all - before.all : 0
    return {
      seconds: (performance.now() - start) / 1000,
      busy: all > 0 ? 1 - (after.idle - before.idle) / all : null,
    }
  }
}

/** A table to be read, and all of it as `.cache/test-times.tsv`; the parts alone, for `npm run structure`, as `test-parts.tsv`. */
export function timeTable(parts) {
  const rows = parts.flatMap(({ name, files }) => files.map((file) => ({ part: name, ...file })))
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(
    join(root, '.cache', 'test-times.tsv'),
    rows
      .sort((a, b) => b.seconds - a.seconds)
      .map(({ part, name, seconds }) => `${seconds.toFixed(1)}\t${part}\t${name}\n`)
      .join(''),
  )
  writeFileSync(
    join(root, '.cache', 'test-parts.tsv'),
    parts.map(({ name, seconds }) => `${seconds.toFixed(0)}\t${name}\n`).join(''),
  )
  const total = parts.reduce((sum, { seconds }) => sum + seconds, 0)
  const lines = parts.flatMap((part) => [partLine(part), ...fileLines(part.files)])
  const machine = `${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the end`
  return `${[
    `Times (${machine}; all files in .cache/test-times.tsv)`,
    ...lines,
    row(total, 'all'),
    ...moduleLines(rows),
  ].join('\n')}\n`
}

/** Seconds of workers, of all rooms together: what a module's tests cost everybody. */
function moduleLines(rows) {
  const sums = new Map()
  for (const { part, name, seconds } of rows) {
    const module = moduleOf(part, name)
    sums.set(module, (sums.get(module) ?? 0) + seconds)
  }
  const sorted = [...sums].sort(([, one], [, other]) => other - one)
  const texts = sorted.map(([module, seconds]) => `${module} ${seconds.toFixed(0)} s`)
  return texts.length > 1 ? [`   Seconds of workers by module: ${texts.join(', ')}`] : []
}

function moduleOf(part, name) {
  const [, feature] =
    /\/features\/([a-z]+)\/|^(?:web|contract)\/test\/([a-z]+)\//.exec(name)?.filter(Boolean) ?? []
  return part === 'e2e' ? 'journeys' : (feature ?? `${part} itself`)
}

function partLine({ name, seconds, busy }) {
  return row(seconds, name, busy === null ? '' : `cores ${Math.round(busy * 100)} % busy`)
}

function fileLines(files) {
  const slow = files
    .filter(({ seconds }) => seconds >= NAMED_FROM_SECONDS)
    .sort((a, b) => b.seconds - a.seconds)
  const rest = files.filter(({ seconds }) => seconds < NAMED_FROM_SECONDS)
  const restSeconds = rest.reduce((sum, { seconds }) => sum + seconds, 0)
  return [
    ...slow.map(({ name, seconds }) => `${seconds.toFixed(0).padStart(14)} s  ${name}`),
    ...(rest.length > 0 ? [`${restSeconds.toFixed(0).padStart(14)} s  ${rest.length} others together`] : []),
  ]
}

const row = (seconds, name, more = '') => {
  const whole = Math.round(seconds)
  const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
  return `${time.padStart(8)}  ${name.padEnd(10)}${more}`.trimEnd()
}

/** Of all cores since the machine started, in the kernel's ticks. */
function cores() {
  try {
    const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).slice(1, 9).map(Number)
    const [, , , idle, waiting] = ticks
    return { all: ticks.reduce((sum, one) => sum + one, 0), idle: idle + waiting }
  } catch {
    return null
  }
}
