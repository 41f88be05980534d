/**
 * `npm run bench -- shop 100`: so many trainings of weights of their own are tested and put into the shop, each to be measured
 * again by the platform; of every tenth a byte of the stored weights is changed first. Listed must be all that are whole, and
 * none that was tampered with.
 */
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { About } from '@neuroloom/contract/shop/listing'
import { shopRules } from '@neuroloom/contract/shop/words'
import { type Product, removeData, startProduct } from '../e2e/stack.ts'
import { memberForm } from '../server/test/member-form.ts'
import { type Client, poll, signIn } from './client.ts'

const EVERY = 10
const about: Omit<About, 'name'> = {
  ...{ introduction: 'Tells drawn cells apart.', features: 'Small', organ: 'blood_cells' },
  ...{ modality: 'microscopy', licence: 'MIT', dataLicence: 'Drawn by a program', priceYuan: 1 },
  ...{ intendedUse: 'Measuring', outOfScope: 'All else', limitations: 'Drawn cells', population: 'Nobody' },
}

async function bench(count: number) {
  const product = await startProduct()
  const outcomes = { listed: 0, refused: 0, wronglyListed: 0, wronglyRefused: 0 }
  const began = Date.now()
  try {
    const client = await signIn(product)
    await client.call('user/edit', memberForm)
    const data = await dataOf(client)
    for (let place = 0; place < count; place += 1) {
      const isTampered = place % EVERY === EVERY - 1
      const isListed = await offerOne(client, product, { data, seed: place + 1, isTampered })
      outcomes[isListed ? 'listed' : 'refused'] += 1
      if (isListed && isTampered) outcomes.wronglyListed += 1
      if (!isListed && !isTampered) outcomes.wronglyRefused += 1
    }
  } finally {
    await product.stop()
    await removeData(product.dataDir)
  }
  const seconds = (Date.now() - began) / 1000
  process.stdout.write(
    [
      `${count} trainings offered, ${Math.floor(count / EVERY)} of them with a changed byte, in ${seconds.toFixed(0)} s`,
      `listed ${outcomes.listed}, refused ${outcomes.refused}`,
      `tampered and listed ${outcomes.wronglyListed} (goal 0)`,
      `whole and refused ${outcomes.wronglyRefused} (goal 0)`,
      '',
    ].join('\n'),
  )
  if (outcomes.wronglyListed + outcomes.wronglyRefused > 0) process.exitCode = 1
}

type Data = { projectId: string; datasetId: string; parts: string[] }

async function dataOf(client: Client): Promise<Data> {
  const { projects } = await client.call('projects/list', {})
  const projectId = projects.find(({ task }) => task === 'classification')?.id ?? ''
  const { datasets } = await poll(
    () => client.call('datasets/list', { projectId }),
    (found) => found.datasets.every(({ state }) => state !== 'checking'),
  )
  const [dataset] = datasets
  if (!dataset) throw new Error('The samples have no data set')
  return { projectId, datasetId: dataset.id, parts: dataset.parts.map(({ id }) => id) }
}

type One = { data: Data; seed: number; isTampered: boolean }

/** Whether it is in the shop in the end. Its place among what a level keeps and shares is free again. */
async function offerOne(client: Client, product: Product, { data, seed, isTampered }: One): Promise<boolean> {
  const { projectId, datasetId, parts } = data
  const ended = (id: string) =>
    poll(
      () => client.call('runs/detail', { id }),
      ({ run }) => ['done', 'failed', 'stopped'].includes(run.state),
      { everyMs: 100 },
    )
  const { id } = await client.call('runs/start', {
    ...{ projectId, parts, network: 'small_resnet', force: true },
    hyper: { epochs: 1, validationInterval: 1, seed },
  })
  const { run } = await ended(id)
  const { id: testId } = await client.call('runs/test', { id, datasets: [datasetId] })
  await ended(testId)
  const weights = run.artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? ''
  if (isTampered) await tamper(product.dataDir, weights)
  const offered = await client.call('shop/offer', {
    testId,
    about: { ...about, name: `Cells ${seed}` },
    acceptRules: shopRules,
  })
  const { state } = await poll(
    () => client.call('shop/detail', { id: offered.id }),
    (listing) => listing.state !== 'checking',
    { everyMs: 100 },
  )
  if (state === 'listed') await client.call('shop/show', { id: offered.id, isShown: false })
  await client.call('runs/remove', { id })
  await client.call('runs/purge', { ids: [id] })
  return state === 'listed'
}

async function tamper(dataDir: string, sha256: string): Promise<void> {
  const path = join(dataDir, 'blobs', sha256.slice(0, 2), sha256)
  const bytes = await readFile(path)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await chmod(path, 0o600)
  await writeFile(path, bytes)
}

await bench(Number(process.argv[2] ?? 100))
