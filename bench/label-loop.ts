/**
 * `npm run bench -- label-loop [--seeds 1,2,3,4,5] [--rounds 5] [--steps 300]`: labelling with the help of one's own network on
 * the nuclei. A quarter of the images is kept aside; of the others eight are labelled, a small U-Net learns from them, and
 * eight more are chosen by what it is unsure of, or at random with more of those in which something was found. Prints the Dice
 * of the images kept aside after each round, mean and 95 % range (t) over the seeds, and of the paired difference.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ItemResult, Manifest, ManifestItem } from '@neuroloom/contract/engine'
import { expectedGain, type Round } from '@neuroloom/contract/labelling/gain'
import { chooseNext, type Order, orders, randomFrom } from '@neuroloom/contract/labelling/next'
import { data, layOut, nuclei, runEngine } from './engine-run.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3,4,5' },
    rounds: { type: 'string', default: '5' },
    steps: { type: 'string', default: '300' },
  },
})
const FIRST = 8
const BATCH = 8
const seeds = values.seeds.split(',').map(Number)
const rounds = Number(values.rounds)

if (!existsSync(data)) throw new Error(`no data sets at ${data}: set SHARED_DATA`)
const { root, ...manifest } = nuclei()
/** 97.5 % of Student's distribution with 1, 2, … degrees of freedom. */
const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]

await study()

async function study() {
  const scores: Record<Order, number[][]> = { doubt: [], random: [] }
  for (const seed of seeds) {
    for (const order of orders) {
      const told = await loop(order, seed)
      scores[order].push(told.map((round) => mean(round.scores)))
      const gain = expectedGain(told.slice(0, -1), { more: FIRST })
      const real = mean(told.at(-1)?.scores ?? []) - mean(told.at(-2)?.scores ?? [])
      console.log(
        `seed ${seed}, by ${order}: ${told.map(({ labels, scores: own }) => `${labels} ${mean(own).toFixed(3)}`).join(', ')}` +
          `; the last ${FIRST} were foreseen to be worth ${signed(gain?.gain)} (${signed(gain?.low)} to ${signed(gain?.high)}), were ${signed(real)}`,
      )
    }
  }
  for (let round = 0; round < rounds; round++) {
    const own = scores.doubt.map((list) => list[round] ?? 0)
    const random = scores.random.map((list) => list[round] ?? 0)
    const difference = own.map((value, index) => value - (random[index] ?? 0))
    console.log(
      `${(round + 1) * FIRST} labels: own order ${told(own)}, foreground-aware random ${told(random)}, difference ${told(difference)}`,
    )
  }
}

/** Both orders begin with the same images, labels and first network of a seed. */
async function loop(order: Order, seed: number): Promise<Round[]> {
  const mixed = shuffled(manifest.items, seed)
  const aside = mixed.slice(0, Math.floor(mixed.length / 4))
  const pool = mixed.slice(aside.length)
  const labelled = pool.slice(0, FIRST)
  const done: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const left = pool.filter((item) => !labelled.includes(item))
    const { tested, candidates } = await learn({ labelled, aside, left, seed })
    done.push({ labels: labelled.length, scores: tested })
    const ids = new Set(chooseNext(candidates, { order, count: FIRST, round, background: 0, seed }))
    labelled.push(...left.filter(({ id }) => ids.has(id)))
  }
  return done
}

type Lists = Record<'labelled' | 'aside' | 'left', ManifestItem[]> & { seed: number }

async function learn({ labelled, aside, left, seed }: Lists) {
  const own: Manifest = { ...manifest, items: labelled }
  const epochs = Math.ceil((Number(values.steps) * BATCH) / labelled.length)
  const hyper = {
    batchSize: BATCH,
    criterion: 'ce_dice' as const,
    validationInterval: Math.max(1, Math.round(epochs / 10)),
  }
  const folder = layOut(
    { name: 'label-loop', network: 'unet_small', manifest: own, hyper, size: 128, dataRoot: root },
    { epochs, seed },
  )
  try {
    await runEngine(folder)
    const tested = await ask(folder, { kind: 'test', part: 'all' }, aside)
    const unlabelled = left.map((item) => ({ ...item, label: null }))
    const foreseen = await ask(folder, { kind: 'predict', maxPixels: 100_000_000, doubts: true }, unlabelled)
    const candidates = foreseen.map(({ id, doubt, values: areas }) => ({
      id,
      doubt: doubt ?? [],
      found: [true, ...Object.values(areas).map((area) => (area ?? 0) > 0)],
    }))
    return { tested: tested.map(({ score }) => score ?? 0), candidates }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The network of the folder on other images. */
async function ask(folder: string, kind: object, items: ManifestItem[]): Promise<ItemResult[]> {
  const path = join(folder, 'run.json')
  const spec = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, items }))
  writeFileSync(
    path,
    JSON.stringify({ ...spec, attempt: spec.attempt + 1, weights: 'out/weights.safetensors', ...kind }),
  )
  await runEngine(folder)
  return JSON.parse(readFileSync(join(folder, 'out/items.json'), 'utf8'))
}

function shuffled<Kind>(list: readonly Kind[], seed: number): Kind[] {
  const random = randomFrom(seed)
  return list
    .map((one) => ({ one, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ one }) => one)
}

/** Mean and 95 % range of the mean (Student). */
function told(list: readonly number[]): string {
  const middle = mean(list)
  if (list.length < 2) return middle.toFixed(3)
  const deviation = Math.sqrt(list.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (list.length - 1))
  const reach = ((STUDENT[list.length - 2] ?? 1.96) * deviation) / Math.sqrt(list.length)
  return `${middle.toFixed(3)} (${(middle - reach).toFixed(3)} to ${(middle + reach).toFixed(3)})`
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / list.length
}

function signed(value: number | undefined): string {
  return value === undefined ? 'unknown' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
}
