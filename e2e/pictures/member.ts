/** The signed-in demo member's calls beside what is done by mouse: names in each language, and waiting. */
import type { Answer, Body, Path } from '@neuroloom/contract/calls'
import type { Page } from 'playwright-core'
import { type Language, samples } from './words.ts'

export async function memberOf(page: Page) {
  const call = <P extends Path>(path: P, body: Body<P>): Promise<Answer<P>> =>
    page.evaluate<Answer<P>, readonly [string, unknown]>(
      async ([name, given]) => {
        const user = JSON.parse(localStorage.getItem('userInfo') ?? '{}')
        const response = await fetch(`/AI/api/${name}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            token: localStorage.getItem('token') ?? '',
            userId: user.id,
          },
          body: JSON.stringify(given),
        })
        const { code, message, data } = await response.json()
        if (code !== 10200) throw new Error(`${name}: ${code} ${message}`)
        return data
      },
      [path, body],
    )
  const ids = await sampleIds(call)
  await nameDatasets(call)
  return {
    call,
    /** The segmentation sample. */
    project: ids.segmentation,

    async addProject(words: { name: string; description: string }): Promise<string> {
      const { id } = await call('projects/create', { ...words, task: 'segmentation' })
      ids.empty = id
      return id
    },

    /** Gives the samples names of this language. */
    async rename(language: Language): Promise<void> {
      const words = samples[language]
      for (const kind of ['segmentation', 'classification', 'empty'] as const) {
        if (ids[kind] !== '') await call('projects/rename', { id: ids[kind], ...words[kind] })
      }
      for (const [index, id] of ids.folders.entries()) {
        const { folder } = await call('files/list', { folderId: id })
        const name = words.folders[index]
        if (name && folder?.name !== name) await call('files/rename', { id, name })
      }
    },

    async waitForEpoch(epoch: number, limitMs: number): Promise<void> {
      const id = new URL(page.url()).searchParams.get('id') ?? ''
      await waitForEpoch({ call, page, id }, epoch, limitMs)
    },

    /** Trains a network of the member's own on the segmentation sample; it keeps what it has learnt by then. */
    async train(network: string, epochs: number, limitMs: number): Promise<void> {
      const { datasets } = await call('datasets/list', { projectId: ids.segmentation })
      const parts = datasets.flatMap((dataset) => dataset.parts.map(({ id }) => id))
      const { id } = await call('runs/start', { projectId: ids.segmentation, parts, network })
      await waitForEpoch({ call, page, id }, epochs, limitMs)
      await call('runs/stop', { id })
      const isKept = async () => (await call('runs/detail', { id })).run.artifacts.length > 0
      while (!(await isKept())) await page.waitForTimeout(500)
    },
  }
}

type Run = { call: Call; page: Page; id: string }

async function waitForEpoch({ call, page, id }: Run, epoch: number, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs
  for (;;) {
    const { run } = await call('runs/detail', { id })
    if ((run.progress?.epoch ?? 0) >= epoch) return
    if (Date.now() > end || run.state === 'failed') throw new Error(`${run.state} before epoch ${epoch}`)
    await page.waitForTimeout(500)
  }
}

type Call = <P extends Path>(path: P, body: Body<P>) => Promise<Answer<P>>

async function sampleIds(call: Call) {
  const { projects } = await call('projects/list', {})
  const { entries } = await call('files/list', { folderId: null })
  // Newest first: the samples were there before what is made here.
  const idOf = (task: string): string => projects.findLast((project) => project.task === task)?.id ?? ''
  const folders = ['Sample cells', 'Sample cell shapes'].map(
    (name) => entries.find((entry) => entry.name === name)?.id ?? '',
  )
  return { segmentation: idOf('segmentation'), classification: idOf('classification'), empty: '', folders }
}

/** Runs remember the name that a data set had: one that reads alike in every language. */
async function nameDatasets(call: Call): Promise<void> {
  const { datasets } = await call('datasets/list', { projectId: null })
  for (const { id, task } of datasets) {
    await call('datasets/rename', { id, name: task === 'segmentation' ? 'cells-128' : 'shapes-64' })
  }
}
