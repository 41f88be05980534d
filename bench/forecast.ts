/**
 * `npm run bench -- forecast`: twelve trainings, six networks of different kinds and tasks, alone and beside a program
 * on each core. What was foreseen before the start (nothing like it ended here: by what steps of small networks cost on
 * this machine), what the engine says after ten steps, and what it took. `--steps 30` makes them shorter, names of
 * networks and `quiet` or `loaded` choose among them.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineEvent } from '@neuroloom/contract/engine'
import { costOf, forecast, type Rates, ratesOf, slowdownOf, workOf } from '@neuroloom/contract/forecast'
import { effort } from '@neuroloom/contract/suggest/suggest-task'
import { createLoad } from '../server/src/features/runs/queue/load.ts'
import {
  type Case,
  classFolders,
  data,
  engineEnvironment,
  layOut,
  nuclei,
  pairs,
  python,
  runEngine,
} from './engine-run.ts'

type Told = { name: string; before: number; after: number; real: number }

const GOALS = { before: 2.5, after: 1.5 }
const FIRST_STEPS = 10
/** What a training of the product takes at least: shorter ones are mostly reading and writing. */
const STEPS = 150
/** In this time the system's mean has learned of a load. */
const SETTLING_MS = 120_000
const threads = availableParallelism()

async function main(wishes: string[]) {
  if (!existsSync(data)) throw new Error(`no data sets at ${data}: set SHARED_DATA`)
  const at = wishes.indexOf('--steps')
  const steps = at < 0 ? STEPS : Number(wishes[at + 1])
  const isWanted = (name: string, among: readonly string[]): boolean =>
    !wishes.some((wish) => among.includes(wish)) || wishes.includes(name)
  const all = cases()
  const names = all.map(({ network }) => network)
  const wanted = all.filter(({ network }) => isWanted(network, names))
  const rates = measured()
  console.log(
    `this machine: ${loadavg()[0]?.toFixed(1)} programs wanted a core before, of ${cpus().length} cores`,
  )
  const load = createLoad()
  const told: Told[] = []
  for (const kind of ['quiet', 'loaded'].filter((one) => isWanted(one, ['quiet', 'loaded']))) {
    const burners = kind === 'loaded' ? Array.from({ length: cpus().length }, burn) : []
    try {
      if (burners.length > 0) await sleep(SETTLING_MS)
      for (const one of wanted) told.push(await compare(one, { kind, steps, rates, load }))
    } finally {
      for (const burner of burners) burner.kill()
    }
  }
  for (const moment of ['before', 'after'] as const) {
    const within = told.filter((each) => factorOf(each[moment], each.real) <= GOALS[moment]).length
    const verdict = within === told.length ? 'reached' : 'MISSED'
    const words = moment === 'before' ? 'before the start' : `after ${FIRST_STEPS} steps`
    console.log(`${words}: ${within} of ${told.length} within a factor of ${GOALS[moment]}: ${verdict}`)
    if (within < told.length) process.exitCode = 1
  }
}

async function compare(
  one: Case,
  {
    kind,
    steps,
    rates,
    load,
  }: { kind: string; steps: number; rates: Rates; load: ReturnType<typeof createLoad> },
): Promise<Told> {
  const { task, items } = one.manifest
  const { batchSize = 8 } = one.hyper
  const stepsAnEpoch = Math.ceil((items.length * 0.68 * (effort[task].draws ?? 1)) / batchSize)
  const epochs = Math.max(2, Math.round(steps / stepsAnEpoch))
  const folder = layOut(one, { epochs })
  try {
    const { plan, hyper, validation } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
    const work = workOf({ kind: 'train', task, items: items.length, hyper, validation, cost: costOf(plan) })
    const place = { kind: 'cpu', threads, cores: cpus().length, others: load.others(threads), rates } as const
    const before = forecast(
      { kind: 'train', task, network: one.network, work },
      { place, measured: [] },
    ).seconds
    const { events } = await runEngine(folder)
    load.others(0)
    const told = { name: `${one.network}, ${kind}`, before, ...accountOf(events) }
    console.log(
      `${told.name}: foreseen ${before.toFixed(0)} s (slowed ${slowdownOf(place).toFixed(1)} times by others), after ${FIRST_STEPS} steps ${told.after.toFixed(0)} s, took ${told.real.toFixed(0)} s: factors ${factorOf(before, told.real).toFixed(2)} and ${factorOf(told.after, told.real).toFixed(2)}`,
    )
    return told
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const factorOf = (one: number, other: number): number => Math.max(one / other, other / one)

/** Seconds of the whole run: as told at the first progress after ten steps, and as they came. */
function accountOf(events: readonly EngineEvent[]): { after: number; real: number } {
  const [first] = events
  const last = events.at(-1)
  const told = events.find(
    (event): event is Extract<EngineEvent, { type: 'progress' }> =>
      event.type === 'progress' && (event.epoch - 1) * event.steps + event.step >= FIRST_STEPS,
  )
  if (!first || !last || !told) throw new Error('the training was too short')
  return { after: (told.t - first.t) / 1000 + told.etaSeconds, real: (last.t - first.t) / 1000 }
}

/** As a worker measures it once nothing waits. */
function measured(): Rates {
  const asked = ['-m', 'neuroloom_engine.rates', 'cpu', '0', String(threads), '0']
  return ratesOf(JSON.parse(execFileSync(python, asked, { encoding: 'utf8', env: engineEnvironment() })).full)
}

const burn = (): ChildProcess => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })

function cases(): Case[] {
  const mednist = classFolders('classification-mednist', { channels: 1 })
  const kodak = pairs('superresolution-kodak-x2', {
    ...{ task: 'super_resolution', classes: [], channels: 3, maskValues: {}, factor: 2 },
  })
  const cells = nuclei()
  const named = (network: string, { root: dataRoot, ...manifest }: typeof cells, most: number) => ({
    ...{ name: `forecast-${network}`, network, dataRoot },
    manifest: {
      ...manifest,
      items: manifest.items.filter((_, index) => index % Math.ceil(manifest.items.length / most) === 0),
    },
  })
  const noisy = { ...kodak, task: 'denoising' as const, factor: 1 }
  const boxed = { ...cells, task: 'detection' as const, classes: ['nucleus'], maskValues: {} }
  return [
    {
      ...named('small_resnet', mednist, 300),
      size: 64,
      hyper: { batchSize: 32, criterion: 'cross_entropy' },
    },
    { ...named('mobilenetv2', mednist, 150), size: 64, hyper: { batchSize: 16, criterion: 'cross_entropy' } },
    { ...named('unet_small', cells, 80), size: 128, hyper: { batchSize: 8, criterion: 'ce_dice' } },
    {
      ...named(
        'yolo_small',
        // Where things are does not matter here, only that there are some.
        { ...boxed, items: boxed.items.map((item) => ({ ...item, label: null, boxes: [drawn] })) },
        80,
      ),
      ...{ size: 128, hyper: { batchSize: 8, criterion: 'boxes' } },
    },
    { ...named('edsr_small', kodak, 24), size: 24, hyper: { batchSize: 8, criterion: 'l1' } },
    {
      ...named(
        'dncnn_small',
        { ...noisy, items: noisy.items.map((item) => ({ ...item, label: item.image })) },
        24,
      ),
      ...{ size: 40, hyper: { batchSize: 8, criterion: 'l1' } },
    },
  ]
}

const drawn = { class: 0, x0: 20, y0: 20, x1: 60, y1: 70 }

await main(process.argv.slice(2))
