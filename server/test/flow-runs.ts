/** Flow runs as pages make them: a known flow, a project that has it, and what is asked. */

import { startSettings } from '@neuroloom/contract/flow/options'
import type { FlowRun, FlowSection } from '@neuroloom/contract/flow/run'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import type { Run } from '@neuroloom/contract/runs'
import { vi } from 'vitest'
import { encodePng } from '../src/demo/png.ts'
import { makeServer, type Session, type TestServer } from './harness.ts'
import { hasEnded, until } from './training.ts'

export const asked: FlowRun = {
  kinds: ['vortex', 'fluidLine'],
  settings: startSettings,
  fitOrder: 1,
  seed: 7,
  corrections: { offset: null, unwrap: true, turn: null },
  mask: { kind: 'threshold', level: null, grow: [] },
}

/** Across a pipe along z, in the middle of a known flow with so many voxels of 2 mm a side. */
export const acrossPipe = (z: number, { name = `At ${z}`, side = 24 } = {}): FlowSection => ({
  ...{ name, centre: [(side - 1) * 0.001, (side - 1) * 0.001, z * 0.002], normal: [0, 0, 1] },
  ...{ region: 'vessel', radius: 0.01, rule: 'exact' },
})

export const png = (width = 8, height = 6): string =>
  encodePng({ width, height, pixels: new Uint8Array(width * height).fill(120) }).toString('base64')

export const makeFlowServer = () =>
  makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })

export const flowSteps = (server: TestServer) => ({
  /** With a worker at hand. */
  async study(who: Session, { phantom = 'poiseuille', ...scan }: Scan = {}): Promise<string> {
    const { data, message, code } = await server.call(
      'flow/phantom',
      { phantom, scan: { side: 24, spacing: 2, frames: 3, snr: 60, ...scan } },
      who,
    )
    if (code !== 10200) throw new Error(message)
    await vi.waitFor(
      async () => {
        const { data: now } = await server.call('flow/study', { id: data.id }, who)
        if (now.state !== 'ready') throw new Error(`The study is ${now.state} ${now.failure}`)
      },
      { timeout: 60_000, interval: 50 },
    )
    return data.id
  },
  async project(who: Session, ...studyIds: string[]): Promise<string> {
    const name = `Flow ${Math.random()}`
    const { data } = await server.call('projects/create', { name, task: 'flow' }, who)
    for (const studyId of studyIds)
      await server.call('flow/addToProject', { projectId: data.id, studyId }, who)
    return data.id
  },
  async start(who: Session, at: { projectId: string; studyId: string }, what: FlowRun = asked): Promise<Run> {
    const { data, message, code } = await server.call('flow/start', { ...at, asked: what }, who)
    if (code !== 10200) throw new Error(`flow/start: ${message} ${JSON.stringify(data)}`)
    return data
  },
  ended: (who: Session, id: string): Promise<Run> => until(server, who, { id, is: hasEnded }),
  async run(who: Session, id: string): Promise<FlowRunDetail> {
    return (await server.call('flow/run', { id }, who)).data
  },
  /** Once its planes are measured. */
  measured: (who: Session, id: string): Promise<FlowRunDetail> =>
    vi.waitFor(
      async () => {
        const { data } = await server.call('flow/run', { id }, who)
        if (data.isMeasuring) throw new Error('Planes are being measured')
        return data
      },
      { timeout: 60_000, interval: 50 },
    ),
})

type Scan = {
  phantom?: 'poiseuille' | 'womersley' | 'rotation'
  side?: number
  frames?: number
  spacing?: number
}
