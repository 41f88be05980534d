/**
 * `npm run bench -- flow-sharpen [seed] [epochs]`: one training of velocity super-resolution as the form begins it, by the engine alone, and
 * how its network does beside interpolation: on known flows that were kept aside, and on the aorta of 4DFlowNet, which no training saw.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FlowTrainSpec, flowTrainSpecSchema } from '@neuroloom/contract/engine'
import { flowTrainedSchema, flowTrainHyper, flowTrainStart } from '@neuroloom/contract/flow/sharpen'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { builtIn, library } from '../contract/test/network/wire.ts'
import { root } from '../e2e/stack.ts'
import { data, engineEnvironment, python, runEngine } from './engine-run.ts'

const [seed = flowTrainStart.seed, epochs = flowTrainStart.epochs] = process.argv.slice(2).map(Number)
const asked = { ...flowTrainStart, seed, epochs }
const { plan } = resolve(builtIn(asked.network), library)
if (plan === null) throw new Error(`no plan of ${asked.network}`)
const spec: FlowTrainSpec = flowTrainSpecSchema.parse({
  ...{ v: 1, run: 'bench', attempt: 1, outputs: 'out', kind: 'flow_train', resume: null },
  ...{ plan, planHash: 'bench', hyper: flowTrainHyper(asked), asked },
  device: { kind: 'cpu', index: 0, threads: availableParallelism(), memoryBytes: null },
})
const folder = mkdtempSync(join(tmpdir(), 'flow-sharpen-'))
try {
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'run.json'), JSON.stringify(spec))
  const start = performance.now()
  const { events, peakBytes } = await runEngine(folder)
  const minutes = (performance.now() - start) / 60_000
  const quiet = events.flatMap((event) => (event.type === 'end' ? [event.quietSeconds ?? 0] : []))[0] ?? 0
  const trained = flowTrainedSchema.parse(
    JSON.parse(readFileSync(join(folder, 'out/flow_training.json'), 'utf8')),
  )
  const { against, mean, low, high } = trained.gain
  console.log(
    `${asked.flows} flows, ${asked.epochs} epochs: ${minutes.toFixed(1)} min, ${(quiet / 60).toFixed(1)} on a quiet machine`,
  )
  console.log(`${(peakBytes / 1e9).toFixed(2)} GB at most`)
  console.table(trained.scores)
  console.log(
    `gain over ${against}, ${trained.parts.test} flows: ${[mean, low, high].map((share) => `${(100 * share).toFixed(1)} %`).join(', ')}; goal: all above 0`,
  )
  const env = { ...engineEnvironment(), SHARED_DATA: data }
  const { status } = spawnSync(python, [join(root, 'bench/flow_sharpen.py'), folder], {
    env,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
