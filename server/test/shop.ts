/** A seller's model, trained, tested and measured again by a real worker. */
import type { Answer, Body } from '@neuroloom/contract/calls'
import { shopRules } from '@neuroloom/contract/shop/words'
import { expect, vi } from 'vitest'
import type { Session, TestServer } from './harness.ts'
import { hasEnded, startQuick, type TrainingSet, until } from './training.ts'

export const about = {
  name: 'Cells by a small network',
  introduction: 'Tells cells apart in microscope pictures.',
  features: 'Small\nFast',
  organ: 'blood_cells',
  modality: 'microscopy',
  licence: 'single_use',
  dataLicence: 'Drawn by a program; of no patient',
  priceYuan: 101,
  intendedUse: 'Teaching & practice',
  outOfScope: 'Diagnosis',
  limitations: 'Knows drawn cells alone, <none> else',
  population: 'No patients',
} as const satisfies Body<'shop/offer'>['about']

/** A training of its own weights, by its seed, and a test of it that is done; gives the test's id. */
export async function trainAndTest(
  server: TestServer,
  seller: Session,
  { set, seed = 1 }: { set: TrainingSet; seed?: number },
): Promise<{ runId: string; testId: string }> {
  const { id } = await startQuick(server, seller, { set, hyper: { epochs: 1, seed } })
  const training = await until(server, seller, { id, is: hasEnded })
  expect(training.state).toBe('done')
  const { data } = await server.call('runs/test', { id, datasets: [set.datasetId] }, seller)
  expect((await until(server, seller, { id: data.id, is: hasEnded })).state).toBe('done')
  return { runId: id, testId: data.id }
}

export const offer = (
  server: TestServer,
  seller: Session,
  { testId, ...said }: { testId: string } & Partial<Body<'shop/offer'>['about']>,
) => server.call('shop/offer', { testId, about: { ...about, ...said }, acceptRules: shopRules }, seller)

/** Offered, and decided by the worker. */
export async function offered(
  server: TestServer,
  seller: Session,
  wish: Parameters<typeof offer>[2],
): Promise<Answer<'shop/detail'>> {
  const { code, message, data } = await offer(server, seller, wish)
  expect(code, message).toBe(10200)
  return decided(server, seller, data.id)
}

export const decided = (server: TestServer, seller: Session, id: string) =>
  vi.waitFor(
    async () => {
      const { data } = await server.call('shop/detail', { id }, seller)
      if (data.state === 'checking') throw new Error('It is still checked')
      return data
    },
    { timeout: 120_000, interval: 100 },
  )
