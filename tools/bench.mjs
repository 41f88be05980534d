/** `npm run bench -- <name>`: one of bench/*.ts against the built product. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { ensureChromium, ensureEngine, ensurePackages, main, root, SetupError } from './setup.mjs'

const names = [
  'accuracy',
  'intervals',
  'training',
  'start',
  'lighthouse',
  'graphs',
  'editor',
  'upload',
  'listing',
  'peers',
  'kills',
  'load',
  'forecast',
  'labelling',
  'label-kills',
  'fill-between',
  'label-loop',
  'prepare',
  'burned-in',
  'burned-in-learn',
  'flow',
  'flow-slice',
  'flow-sharpen',
  'payments',
  'shop',
  'chat',
]

/** These look at the engine or at our own functions alone: there is nothing to build. */
const withoutProduct = [
  'intervals',
  'fill-between',
  'label-loop',
  'burned-in',
  'burned-in-learn',
  'flow',
  'flow-slice',
  'flow-sharpen',
]

await main(() => {
  const [name, ...rest] = process.argv.slice(2)
  if (!name || !names.includes(name)) {
    throw new SetupError(`npm run bench -- <name>; there are ${names.join(', ')}.`)
  }
  ensurePackages()
  const env = { ...process.env, ENGINE_PYTHON: ensureEngine() }
  if (!withoutProduct.includes(name)) {
    env.CHROMIUM = ensureChromium()
    build()
  }
  const script = join(root, 'bench', `${name}.ts`)
  const result = spawnSync('npx', ['tsx', '--conditions=neuroloom-source', script, ...rest], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  process.exitCode = result.status ?? 1
})
