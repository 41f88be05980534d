/**
 * `npm run bench -- flow [--large] [--turns 3]`: corrections, gradients, streamlines and curves of the engine beside a plain chain of
 * NumPy and SciPy in the same process, then the interactive kernel of the browser (`flow-slice`). Each line tells its goal.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../e2e/stack.ts'

const { status } = spawnSync(
  process.env.ENGINE_PYTHON ?? 'python3',
  [join(root, 'bench/flow.py'), ...process.argv.slice(2)],
  { env: { ...process.env, PYTHONPATH: join(root, 'engine') }, stdio: 'inherit' },
)
if (status !== 0) process.exitCode = status ?? 1
await import('./flow-slice.ts')
