/** Starts one of our own scripts as a process of its own, from the sources as well as from the build. Knows none of them. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'

type Script = {
  /** `import.meta.url` of whoever starts it. */
  from: string
  /** Beside that, without its ending. */
  name: string
  /** Arguments of Node itself, for the build alone: compiling from the sources needs more than guards leave. */
  guards?: () => string[]
  /** Arguments that it gets either way. */
  flags?: string[]
}

/** It reads what anybody may have written, so it knows no secrets: nothing of the environment but what is given. */
export function forkOwn(
  { from, name, guards = () => [], flags = [] }: Script,
  options: ForkOptions = {},
): ChildProcess {
  const isSource = startsFromSource(from, name)
  return fork(isSource ? sourceOf(from, name) : builtOf(from, name), {
    ...options,
    execArgv: [...flags, ...(isSource ? ['--conditions=neuroloom-source', '--import', 'tsx'] : guards())],
    env: options.env ?? { PATH: process.env.PATH, HOME: process.env.HOME },
  })
}

const SOURCES = '/server/src/'

/**
 * A whole run of the tests builds first and starts what is built, guards and all, as the product does: compiling a script
 * anew at each of its hundreds of starts takes as long as what it does.
 */
export function startsFromSource(from: string, name: string): boolean {
  // Scripts of tests alone are not built.
  const isBuilt = process.env.OWN_SCRIPTS === 'built' && sourceOf(from, name).pathname.includes(SOURCES)
  return from.endsWith('.ts') && !isBuilt
}

const sourceOf = (from: string, name: string): URL => new URL(`./${name}.ts`, from)
const builtOf = (from: string, name: string): URL =>
  new URL(`./${name}.js`, from.replace(SOURCES, '/server/bundle/'))
