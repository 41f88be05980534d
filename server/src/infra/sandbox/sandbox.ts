/**
 * Runs a Python file that nobody trusts: in bubblewrap, as a user of its own, without network, environment and data. It sees
 * the system's programs, its own folder (read-only) and two small empty folders in memory. Knows no feature.
 *
 * What it may take is limited inside (`prlimit`: memory of a process, processes, processor time, file size), by the sizes of
 * the folders in memory, by a filter of system calls, and from outside (`timeout`, memory of all processes together, what
 * it prints).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { posix } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { sandbox as limits } from '@neuroloom/contract/limits'
import { bubblewrap, programs, sandboxUser } from './bubblewrap.ts'
import { memoryOfTree } from './process-tree.ts'
import { systemCallFilter } from './seccomp.ts'

type SandboxOutcome = 'done' | 'failed' | 'time' | 'memory' | 'output'

type SandboxResult = {
  outcome: SandboxOutcome
  /** Null where a limit ended it. */
  exitCode: number | null
  printed: string
  output: { path: string; sizeBytes: number }[]
}

type Program = {
  /** Readable by the sandbox's user; holds nothing but the code. */
  folder: string
  /** Of the Python file, below the folder. */
  path: string
  timeMs?: number
}

const WATCH_MS = 200
/** The wrapper inside lists the output folder by the one and bubblewrap reads the filter from the other. */
const LISTING_AT = 3
const FILTER_AT = 4

export async function runInSandbox({
  folder,
  path,
  timeMs = limits.timeMs,
}: Program): Promise<SandboxResult> {
  const filter = systemCallFilter()
  if (filter === null) throw new Error('the system calls of this architecture are not known')
  const [program = '', ...args] = commandOf({ folder, path, timeMs })
  const child = spawn(program, args, {
    detached: true,
    env: {},
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  let outcome: SandboxOutcome | null = null
  const end = (why: SandboxOutcome): void => {
    outcome ??= why
    killAll(child)
  }
  // Piped, by the list above.
  const [, stdout, stderr, listing, filterPipe] = child.stdio as [
    null,
    Readable,
    Readable,
    Readable,
    Writable,
  ]
  // A sandbox that could not be made reads no filter.
  filterPipe.on('error', () => undefined)
  filterPipe.end(filter)
  const printed = take(stdout, limits.printedBytes, () => end('output'))
  const complaints = take(stderr, limits.printedBytes, () => end('output'))
  const listed = take(listing, limits.listingBytes, () => end('output'))
  const watch = setInterval(() => {
    if (child.pid !== undefined && memoryOfTree(child.pid) > limits.totalMemoryBytes) end('memory')
  }, WATCH_MS)
  // `timeout` ends it earlier; this is for a machine that hangs.
  const fuse = setTimeout(() => end('time'), timeMs + limits.graceMs * 2)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => {
    clearInterval(watch)
    clearTimeout(fuse)
    killAll(child)
  })
  return {
    outcome: outcome ?? outcomeOf(code),
    exitCode: outcome === null && !isTimedOut(code) ? code : null,
    printed: [printed(), complaints()]
      .map(textOf)
      .filter((text) => text !== '')
      .join('\n'),
    output: outputOf(listed()),
  }
}

/** Codes of `timeout` (coreutils): it ended the program, or had to kill it. */
const TIMED_OUT = [124, 137]
const isTimedOut = (code: number | null): boolean => code === null || TIMED_OUT.includes(code)

function outcomeOf(code: number | null): SandboxOutcome {
  if (isTimedOut(code)) return 'time'
  return code === 0 ? 'done' : 'failed'
}

/** Everything of the sandbox dies with its first process (`--die-with-parent`, a PID namespace of its own). */
function killAll({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Keeps the first bytes of a stream; more than that is told, and dropped. */
function take(stream: Readable, mostBytes: number, onMore: () => void): () => Buffer {
  const pieces: Buffer[] = []
  let bytes = 0
  stream.on('data', (piece: Buffer) => {
    const room = mostBytes - bytes
    bytes += piece.length
    if (room > 0) pieces.push(piece.subarray(0, room))
    if (bytes > mostBytes) onMore()
  })
  stream.on('error', () => undefined)
  return () => Buffer.concat(pieces)
}

/** The code itself does not get the descriptor of the list. */
const WRAPPER = `"$0" -E -s -B -u "$1" ${LISTING_AT}>&-
code=$?
find /out -mindepth 1 -type f -printf '%s %P\\0' 2>/dev/null | head -z -n ${limits.listed} >&${LISTING_AT}
exit $code`

function commandOf({ folder, path, timeMs }: Required<Program>): string[] {
  return [
    ...sandboxUser(),
    ...[programs.timeout, `--kill-after=${limits.graceMs / MS_A_SECOND}`, String(timeMs / MS_A_SECOND)],
    ...bubblewrap({ filterAt: FILTER_AT, code: { folder, startIn: posix.dirname(path) } }),
    programs.prlimit,
    `--as=${limits.memoryBytes}`,
    `--nproc=${limits.processes}`,
    `--fsize=${limits.outputBytes}`,
    `--cpu=${Math.ceil(timeMs / MS_A_SECOND)}`,
    `--nofile=${limits.openFiles}`,
    '--core=0',
    ...['/bin/sh', '-c', WRAPPER, programs.python, `/code/${path}`],
  ]
}

const MS_A_SECOND = 1000

function outputOf(listing: Buffer): SandboxResult['output'] {
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, size, path] = /^(\d+) (.+)$/s.exec(line) ?? []
      if (path === undefined) return []
      const shown = path.slice(0, limits.pathLength).replace(/[\p{Cc}\p{Surrogate}]/gu, '\uFFFD')
      return [{ path: shown, sizeBytes: Number(size) }]
    })
}

/** For a database that holds no NUL. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD')
