/**
 * `npm run bench -- training`: the engine's epoch against a bare PyTorch loop on the same network, data, settings and
 * machine, alternating at least 7 times in one run; the median of the pairs' ratios is the figure (goal ≤ 1.05).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../e2e/stack.ts'
import {
  type Case,
  classFolders,
  data,
  environment,
  layOut,
  nuclei,
  perEpoch,
  python,
  runEngine,
  secondsOf,
  spread,
} from './engine-run.ts'

const PAIRS = 7
const EPOCHS = 3

async function training(names: string[]) {
  if (!existsSync(data)) throw new Error(`no data sets at ${data}: set SHARED_DATA`)
  for (const one of cases().filter(({ name }) => names.length === 0 || names.includes(name))) {
    await compare(one)
  }
}

/** Pairs in changing order, so that a slow minute of a shared machine falls on both. */
async function compare(one: Case) {
  const folder = layOut(one, { epochs: EPOCHS })
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = pair % 2 === 0
    const engineBefore = first ? await engineEpoch(folder) : null
    const plain = plainEpoch(folder)
    const engine = engineBefore ?? (await engineEpoch(folder))
    ratios.push(engine / plain)
    console.log(
      `${one.name} ${pair + 1}/${PAIRS}: engine ${engine.toFixed(2)} s, bare loop ${plain.toFixed(2)} s an epoch`,
    )
  }
  rmSync(folder, { recursive: true })
  const { median, least, most } = spread(ratios)
  const isReached = median <= 1.05
  console.log(
    `${one.name}, ${one.network}: epoch time engine : bare loop, median of ${PAIRS} pairs ${median.toFixed(3)} (${least.toFixed(3)}–${most.toFixed(3)}; goal ≤ 1.05) ${isReached ? 'reached' : 'MISSED'}`,
  )
  if (!isReached) process.exitCode = 1
}

function plainEpoch(folder: string): number {
  const script = join(root, 'bench/training/plain_loop.py')
  return perEpoch(
    JSON.parse(
      execFileSync(python, [script, folder, String(EPOCHS)], { env: environment(), encoding: 'utf8' }),
    ),
  )
}

async function engineEpoch(folder: string): Promise<number> {
  rmSync(join(folder, 'out'), { recursive: true, force: true })
  return perEpoch(secondsOf((await runEngine(folder)).events))
}

function cases(): Case[] {
  const { root: mednistRoot, ...mednist } = classFolders('classification-mednist', { channels: 1 })
  const { root: nucleiRoot, ...cells } = nuclei()
  return [
    {
      ...{ name: 'mednist', network: 'small_resnet', manifest: mednist, dataRoot: mednistRoot, size: 64 },
      hyper: { batchSize: 32, criterion: 'cross_entropy' },
    },
    {
      ...{ name: 'nuclei', network: 'unet_small', manifest: cells, dataRoot: nucleiRoot, size: 128 },
      hyper: { batchSize: 8, criterion: 'ce_dice' },
    },
  ]
}

await training(process.argv.slice(2))
