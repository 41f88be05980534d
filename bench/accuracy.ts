/**
 * `npm run bench -- accuracy`: what a member gets by pressing Train without touching a setting, on real data, through
 * the running product: upload, recognise, train, test on what was kept aside (or on a set of its own). `-- accuracy
 * nuclei bccd` takes some of the sets, `--seeds 1,2,3` the mean over other divisions of the same data than the
 * product's first.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Answer, Body } from '@neuroloom/contract/calls'
import type { Validation } from '@neuroloom/contract/suggest/hyper'
import type { Task } from '@neuroloom/contract/task'
import { removeData, root, startProduct } from '../e2e/stack.ts'
import { type Client, poll, signIn, uploadFolder } from './client.ts'

type Goal = {
  folder: string
  task: Task
  /** The figure of a test that counts; `value` where it is made of several. */
  metric: string
  value?: (metrics: Metrics) => number | null
  goal: number
  minutes: number
  /** A data set of its own to test on. */
  testFolder?: string
  /** Every item is tested once, by the network that did not learn from it. */
  folds?: number
}
type Metrics = Record<string, number | null>

const { values, positionals } = parseArgs({ options: { seeds: { type: 'string' } }, allowPositionals: true })

const minutes = 15
const goals: Goal[] = [
  { folder: 'classification-mednist', task: 'classification', metric: 'accuracy', goal: 0.99, minutes },
  {
    ...{ folder: 'classification-braintumor-mri', task: 'classification', metric: 'accuracy' },
    ...{ goal: 0.75, minutes: 5 * minutes, folds: 5 },
  },
  { folder: 'segmentation-nuclei-dsb2018', task: 'segmentation', metric: 'dice', goal: 0.93, minutes },
  {
    ...{ folder: 'segmentation-hippocampus-3d', task: 'volume_segmentation', metric: 'dice' },
    ...{ goal: 0.8, minutes },
  },
  { folder: 'detection-bccd', task: 'detection', metric: 'map50', goal: 0.7, minutes },
  {
    ...{
      folder: 'superresolution-kodak-x2',
      task: 'super_resolution',
      testFolder: 'superresolution-set5/x2',
    },
    metric: 'psnr above bicubic',
    value: ({ psnr, bicubicPsnr }) => (psnr == null || bicubicPsnr == null ? null : psnr - bicubicPsnr),
    ...{ goal: 1.5, minutes },
  },
]

async function accuracy(names: string[]) {
  const data = process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data')
  if (!existsSync(data)) throw new Error(`no data sets at ${data}: set SHARED_DATA`)
  const product = await startProduct()
  try {
    const client = await signIn(product)
    for (const goal of goals.filter(
      ({ folder }) => names.length === 0 || names.some((name) => folder.includes(name)),
    )) {
      await measure(client, data, goal).catch((error: unknown) => {
        // One set that fails must not hide what the others give.
        console.log(`${goal.folder}: FAILED, ${error}`)
        process.exitCode = 1
      })
    }
  } finally {
    await product.stop()
    await removeData(product.dataDir)
  }
}

async function measure(client: Client, data: string, goal: Goal) {
  const { folder, task, metric, testFolder } = goal
  const project = await client.call('projects/create', { name: folder, task })
  const learned = await addData(client, { folder: join(data, folder), projectId: project.id, use: 'train' })
  const tested = testFolder
    ? await addData(client, { folder: join(data, testFolder), projectId: project.id, use: 'test' })
    : learned
  const suggested = await client.call('runs/suggest', { projectId: project.id, datasetId: learned.id })
  const { network } = suggested
  const wish = { projectId: project.id, parts: learned.parts.map((part) => part.id), network }
  const found: number[] = []
  let longest = 0
  for (const own of wishesOf(goal, suggested.validation)) {
    const start = performance.now()
    const run = await ended(client, (await client.call('runs/start', { ...wish, ...own })).id)
    const spent = (performance.now() - start) / 60_000
    longest = Math.max(longest, spent)
    // In folds the run itself tests what each fold kept aside.
    const judged = goal.folds
      ? run
      : await ended(client, (await client.call('runs/test', { id: run.id, datasets: [tested.id] })).id)
    const value = goal.value ? goal.value(judged.metrics) : (judged.metrics[metric] ?? null)
    found.push(value ?? Number.NaN)
    console.log(
      `  ${folder}, ${network}, ${run.hyper?.epochs} epochs, ${spent.toFixed(1)} min: ${JSON.stringify(judged.metrics)}`,
    )
    if (task === 'segmentation')
      await compareWithThreshold(client, { id: judged.id, folder: join(data, folder) })
  }
  const mean = found.reduce((sum, value) => sum + value, 0) / found.length
  const isReached = mean >= goal.goal && longest <= goal.minutes
  console.log(
    `${folder}: ${metric} ${mean.toFixed(4)} (goal ≥ ${goal.goal}; ${found.length === 1 ? 'one division' : `mean of ${found.map((value) => value.toFixed(4)).join(', ')}`}), training ${longest.toFixed(1)} min (goal ≤ ${goal.minutes}) ${isReached ? 'reached' : 'MISSED'}`,
  )
  if (!isReached) process.exitCode = 1
}

type Wish = Pick<Body<'runs/start'>, 'validation' | 'hyper'>

/** The product's own division, or one for each seed; of data that come divided, the seed draws the first weights. */
function wishesOf({ folds }: Goal, suggested: Validation): Wish[] {
  const own: Validation = folds ? { method: 'kfold', splits: folds, seed: suggested.seed } : suggested
  if (values.seeds === undefined) return folds ? [{ validation: own }] : [{}]
  return values.seeds
    .split(',')
    .map(Number)
    .map((seed) => ({
      validation: { ...own, seed },
      ...(own.method === 'given' ? { hyper: { seed } } : {}),
    }))
}

async function addData(
  client: Client,
  { folder, projectId, use }: { folder: string; projectId: string; use: 'train' | 'test' },
) {
  const start = performance.now()
  const { folderId, files, bytes } = await uploadFolder(client, folder, { name: basename(folder) })
  const uploaded = performance.now()
  const { id } = await client.call('datasets/recognise', { projectId, folderId, use })
  const dataset = await poll(
    () => client.call('datasets/detail', { id }),
    ({ state }) => state !== 'checking',
  )
  if (dataset.state !== 'ready') throw new Error(`${folder}: ${dataset.failure}`)
  console.log(
    `  ${basename(folder)}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB up in ${seconds(start, uploaded)} s, looked at in ${seconds(uploaded)} s, ${dataset.facts?.items} items, ${dataset.problemCount} set aside`,
  )
  return dataset
}

const seconds = (from: number, to = performance.now()): string => ((to - from) / 1000).toFixed(1)

/** Which pictures are kept aside is chance: how hard they are is told by what a mere threshold gets on them. */
async function compareWithThreshold(client: Client, { id, folder }: { id: string; folder: string }) {
  const names: string[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: Answer<'runs/items'> = await client.call('runs/items', { id, after })
    names.push(...page.items.map(({ name }) => basename(name)))
    after = page.next
  }
  const script = join(root, 'bench/accuracy/global_threshold.py')
  const dice = Number(
    execFileSync(process.env.ENGINE_PYTHON ?? 'python3', [script, folder, ...names], { encoding: 'utf8' }),
  )
  console.log(`  a threshold per picture, on the same ${names.length} pictures: dice ${dice.toFixed(4)}`)
}

async function ended(client: Client, id: string) {
  const { run } = await poll(
    () => client.call('runs/detail', { id }),
    ({ run }) => ['done', 'failed', 'stopped'].includes(run.state),
    { limitMs: 7_200_000 },
  )
  if (run.state !== 'done') throw new Error(`run ${run.state}: ${JSON.stringify(run.error)}`)
  return run
}

await accuracy(positionals)
