/** Packages of Python without which 4D flow MRI cannot be worked out, and whether the engine's Python has them. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { engineEnvironment, engineFolder } from './process.ts'

const needed = ['scipy', 'h5py']
const script = `import importlib.util, sys
print(*[name for name in sys.argv[1:] if importlib.util.find_spec(name) is None])`

type Known = { at: number; missing: Promise<string[]> }
const known = new Map<string, Known>()
/** What was installed meanwhile is found without a new start. */
const LOOK_MS = 60_000
const ASK_MS = 20_000

/** Empty when all is there: nobody asks again then. All of them where there is no such Python. */
export async function missingFlowPackages(python = 'python3'): Promise<string[]> {
  const last = known.get(python)
  if (last) {
    const missing = await last.missing
    if (missing.length === 0 || Date.now() - last.at < LOOK_MS) return missing
  }
  // Those who ask at once wait for one answer.
  if (known.get(python) === last) known.set(python, { at: Date.now(), missing: ask(python) })
  return (await known.get(python)?.missing) ?? needed
}

async function ask(python: string): Promise<string[]> {
  try {
    const options = { cwd: engineFolder, env: engineEnvironment(engineFolder), timeout: ASK_MS }
    const { stdout } = await promisify(execFile)(python, ['-c', script, ...needed], options)
    const told = stdout.trim().split(/\s+/)
    return needed.filter((name) => told.includes(name))
  } catch {
    return needed
  }
}
