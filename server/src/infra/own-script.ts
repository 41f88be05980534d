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
  const isSource = isFromSource(from)
  return fork(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, from), {
    ...options,
    execArgv: [...flags, ...(isSource ? ['--conditions=source', '--import', 'tsx'] : guards())],
    env: options.env ?? { PATH: process.env.PATH, HOME: process.env.HOME },
  })
}

export const isFromSource = (url: string): boolean => url.endsWith('.ts')
