/**
 * `npm run bench -- intervals [draws]`: how often the engine's 95 % intervals of accuracy, sensitivity, Dice, mAP@50 and
 * AUC hold the true figure, for 6 to 100 pictures, each of a patient of its own and two of each (goal 93 to 97 %).
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../e2e/stack.ts'

const { status } = spawnSync(
  process.env.ENGINE_PYTHON ?? 'python3',
  [join(root, 'bench/intervals.py'), ...process.argv.slice(2)],
  { env: { ...process.env, PYTHONPATH: join(root, 'engine') }, stdio: 'inherit' },
)
process.exitCode = status ?? 1
