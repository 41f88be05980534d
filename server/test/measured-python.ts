/** A Python for products and workers of tests, which knows the machine from the second time on. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Each worker asks PyTorch what there is to compute on, and measures how quick that is: seconds of computing beside
 * whatever is tested. The machine stays the same, so the first answer is kept in the folder; all else goes to the engine's
 * own Python.
 */
export function makeMeasuredPython(folder: string): string {
  const path = join(folder, 'python')
  writeFileSync(path, scriptFor(folder, process.env.ENGINE_PYTHON ?? '/usr/bin/python3'), { mode: 0o700 })
  return path
}

/** The two programs of `server/src/infra/engine/device.ts`, by what they are called with. */
const scriptFor = (folder: string, python: string): string => `#!/bin/sh
case "$*" in
  '-m neuroloom_engine.rates '*|*cuda.is_available*)
    answer='${folder}'/answer-$(printf %s "$*" | cksum | tr ' ' -)
    if [ ! -s "$answer" ]; then
      '${python}' "$@" > "$answer.$$" || exit
      mv "$answer.$$" "$answer"
    fi
    exec cat "$answer"
    ;;
esac
exec '${python}' "$@"
`
