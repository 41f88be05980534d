/**
 * `npm run bench -- accuracy`: what a member gets by pressing Train without touching a setting, on real data, through
 * the running product: upload, recognise, train, test on the part kept aside. Goals: MedNIST accuracy ≥ 0.98; nuclei
 * mean Dice ≥ 0.92 in at most 10 minutes (a global threshold reaches 0.877 on all of them). `-- accuracy nuclei
 * --folds 5` also trains in folds, so that every picture is tested once.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Answer } from '@neuroloom/contract/calls'
import { removeData, root, startProduct } from '../e2e/stack.ts'
import { type Client, poll, signIn, uploadFolder } from './client.ts'

type Goal = {
  folder: string
  task: 'classification' | 'segmentation'
  metric: string
  goal: number
  minutes: number
}

const { values, positionals } = parseArgs({ options: { folds: { type: 'string' } }, allowPositionals: true })

const goals: Goal[] = [
  { folder: 'classification-mednist', task: 'classification', metric: 'accuracy', goal: 0.98, minutes: 10 },
  { folder: 'segmentation-nuclei-dsb2018', task: 'segmentation', metric: 'dice', goal: 0.92, minutes: 10 },
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
      await measure(client, data, goal)
    }
  } finally {
    await product.stop()
    await removeData(product.dataDir)
  }
}

async function measure(client: Client, data: string, { folder, task, metric, goal, minutes }: Goal) {
  const uploadStart = performance.now()
  const uploaded = await uploadFolder(client, join(data, folder), { name: folder })
  const uploadSeconds = (performance.now() - uploadStart) / 1000
  const project = await client.call('projects/create', { name: folder, task })
  const recogniseStart = performance.now()
  const { id } = await client.call('datasets/recognise', {
    projectId: project.id,
    folderId: uploaded.folderId,
  })
  const dataset = await poll(
    () => client.call('datasets/detail', { id }),
    ({ state }) => state !== 'checking',
  )
  if (dataset.state !== 'ready') throw new Error(`${folder}: ${dataset.failure}`)
  const recogniseSeconds = (performance.now() - recogniseStart) / 1000
  const { network } = await client.call('runs/suggest', { projectId: project.id, datasetId: id })
  const wish = { projectId: project.id, parts: dataset.parts.map((part) => part.id), network }
  const trainStart = performance.now()
  const started = await client.call('runs/start', wish)
  const trained = await ended(client, started.id)
  const trainMinutes = (performance.now() - trainStart) / 60_000
  const test = await ended(client, (await client.call('runs/test', { id: trained.id, datasets: [id] })).id)
  const value = test.metrics[metric] ?? 0
  const isReached = value >= goal && trainMinutes <= minutes
  console.log(
    `${folder}: ${metric} ${value.toFixed(4)} (goal ≥ ${goal}), training ${trainMinutes.toFixed(1)} min (goal ≤ ${minutes}) ${isReached ? 'reached' : 'MISSED'}`,
  )
  console.log(
    `  ${uploaded.files} files, ${(uploaded.bytes / 1e6).toFixed(1)} MB up in ${uploadSeconds.toFixed(1)} s, recognised in ${recogniseSeconds.toFixed(1)} s, ${network}, ${trained.hyper.epochs} epochs, tested on ${test.counts?.test} items kept aside`,
  )
  console.log(`  all: ${JSON.stringify(test.metrics)}`)
  if (task === 'segmentation') await compareWithThreshold(client, { id: test.id, folder: join(data, folder) })
  if (values.folds !== undefined) {
    const validation = { method: 'kfold', splits: Number(values.folds), seed: 7 } as const
    const { metrics } = await ended(client, (await client.call('runs/start', { ...wish, validation })).id)
    console.log(
      `  every item tested once, in ${values.folds} folds: ${metric} ${metrics[metric]?.toFixed(4)} ± ${metrics[`${metric}Sd`]?.toFixed(4)}`,
    )
  }
  if (!isReached) process.exitCode = 1
}

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
