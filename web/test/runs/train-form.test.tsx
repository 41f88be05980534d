import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { NetworkChoice } from '../../src/features/networks/network-choice.tsx'
import { DownloadList } from '../../src/features/runs/download-list.tsx'
import { Readiness } from '../../src/features/runs/train/readiness.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDone, makeSuggestion, networks } from './runs-make.ts'

beforeEach(() => signIn(makeUser()))

describe('whether a training can start', () => {
  it('says that everything is ready where nothing is worth a caution', async () => {
    renderPart(<Readiness suggestion={makeSuggestion()} task="classification" />)
    expect(await screen.findByText('Everything is ready.')).toBeVisible()
  })

  it('counts the cautions above it', async () => {
    const cautions = [{ name: 'few_test' as const, params: { count: 3 } }]
    renderPart(<Readiness suggestion={makeSuggestion({ cautions })} task="classification" />)
    expect(await screen.findByText('Ready, with 1 caution.')).toBeVisible()
    expect(screen.queryByText('Everything is ready.')).toBeNull()
  })

  it('warns by the bar where the memory is nearly full', async () => {
    const suggestion = makeSuggestion({ memoryBytes: 95, deviceMemoryBytes: 100 })
    renderPart(<Readiness suggestion={suggestion} task="classification" />)
    const bar = await screen.findByRole('meter', { name: /memory that is needed/ })
    expect(bar).toHaveAttribute('data-fill', 'nearlyFull')
  })
})

describe('the cards of the networks', () => {
  it('give the chosen one the parameters with the classes of the data', async () => {
    const [chosen, other] = networks.networks
    if (!chosen || !other) throw new Error('There are too few networks')
    serve({
      'networks/list': () => ({
        networks: [
          { ...chosen, parameters: 300_000 },
          { ...other, parameters: 11_700_000 },
        ],
        own: [],
      }),
    })
    renderPart(
      <NetworkChoice
        task="classification"
        chosen={chosen.id}
        suggested={chosen.id}
        chosenParameters={272_000}
        onChoose={() => {}}
      />,
    )
    expect(await screen.findByText('272,000 parameters')).toBeVisible()
    expect(screen.queryByText('300,000 parameters')).toBeNull()
    expect(screen.getByText('11,700,000 parameters')).toBeVisible()
  })
})

describe('the downloads of a training', () => {
  it('begin with the folder with examples, advised to the unsure', async () => {
    const artifacts = (['onnx', 'weights'] as const).map((kind) => ({ kind, sizeBytes: 1000, sha256: 'a' }))
    renderPart(<DownloadList run={makeDone({ artifacts })} />)
    const [first, second] = await screen.findAllByRole('listitem')
    if (!first || !second) throw new Error('There is nothing to download')
    expect(within(first).getByRole('button', { name: /Folder with examples \(ZIP\)$/ })).toBeVisible()
    expect(first).toHaveTextContent('If you are unsure, take this one.')
    expect(within(second).getByRole('button', { name: /ONNX network$/ })).toBeVisible()
  })
})
