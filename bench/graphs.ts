/**
 * `npm run bench -- graphs [networks] [seed]`: 20,000 random networks, worked out by the contract and built by the
 * engine on PyTorch: shape, learnable numbers and buffers of every layer must be equal. Then 20,000 layers that the
 * contract refuses: what PyTorch takes all the same must be on the reviewed list. Then the networks that come with the
 * product in their full size: numbers that are learned, multiply-adds, bytes that training keeps.
 */
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { acceptance } from '../contract/test/gates/accepted.ts'
import { Choices } from '../contract/test/gates/choices.ts'
import { differences, Engine } from '../contract/test/gates/engine.ts'
import { GraphMaker } from '../contract/test/gates/graphs.ts'
import { makeRefusals } from '../contract/test/gates/refusals.ts'
import { makeRandom } from '../contract/test/network/random.ts'
import { builtIn, exampleIds, expectedText, library } from '../contract/test/network/wire.ts'

const [count = 20_000, seed = 1] = process.argv.slice(2).map(Number)
/** Questions on the way to the engine: enough to keep it busy. */
const together = 64
/** How often every operation, and each of its choices, must have been met; a smaller run needs less. */
const leastHits = Math.floor((50 * count) / 20_000)
const leastOfChoice = Math.floor((10 * count) / 20_000)

await graphs()

async function graphs() {
  const engine = new Engine()
  try {
    const found = [...(await agree(engine)), ...(await refuse(engine)), ...(await fullSize(engine))]
    for (const line of found.slice(0, 50)) console.log(line)
    console.log(`${found.length} differences`)
    if (found.length > 0) process.exitCode = 1
  } finally {
    engine.close()
  }
}

async function agree(engine: Engine): Promise<string[]> {
  const start = performance.now()
  const maker = new GraphMaker(makeRandom(seed), library.catalogue)
  const choices = new Choices(library.catalogue)
  const found: string[] = []
  let layers = 0
  await many(count, async () => {
    const { plan, errors } = resolve(maker.make(), library)
    if (plan === null) {
      found.push(`refused: ${JSON.stringify(errors)}`)
      return
    }
    layers += plan.nodes.length
    choices.count(plan)
    found.push(...differences(plan, await engine.ask('nodes', { plan })))
  })
  const hits = [...maker.hits].sort(([a], [b]) => a.localeCompare(b))
  console.log(hits.map(([op, times]) => `${op} ${times}`).join(', '))
  console.log(`${count} networks, ${layers} layers of ${hits.length} operations: ${secondsSince(start)} s`)
  return [
    ...found,
    ...hits
      .filter(([, times]) => times < leastHits)
      .map(([op, times]) => `${op} was met only ${times} times`),
    ...choices.rarerThan(leastOfChoice).map((choice) => `${choice} was met less than ${leastOfChoice} times`),
  ]
}

async function refuse(engine: Engine): Promise<string[]> {
  const start = performance.now()
  const refusals = makeRefusals(makeRandom(seed + 1), library.catalogue, count)
  const found: string[] = []
  const taken = new Map<string, number>()
  await many(refusals.length, async (k) => {
    const refusal = refusals[k]
    if (refusal === undefined) return
    const answer = await engine.ask('layer', refusal)
    if ('error' in answer) return
    taken.set(refusal.code, (taken.get(refusal.code) ?? 0) + 1)
    if (acceptance(refusal) === null) {
      found.push(`refused here, taken by torch: ${JSON.stringify(refusal)} gives ${answer.shape}`)
    }
  })
  console.log(`${refusals.length} layers that are refused: ${secondsSince(start)} s`)
  console.log(`taken by torch, reviewed: ${[...taken].map(([code, times]) => `${code} ${times}`).join(', ')}`)
  return found
}

async function fullSize(engine: Engine): Promise<string[]> {
  const start = performance.now()
  const published: Record<string, { parameters: number; macs: number }> = JSON.parse(expectedText())
  const found: string[] = []
  for (const id of exampleIds) {
    const { plan } = resolve(builtIn(id), library)
    if (plan === null) throw new Error(id)
    const counts = await engine.ask('counts', { plan })
    const costs = await engine.ask('costs', { plan })
    if ('error' in counts || 'error' in costs) throw new Error(JSON.stringify([id, counts, costs]))
    const kept = plan.keptBytes / costs.kept - 1
    console.log(
      `${id}: ${counts.learn} learned, ${costs.macs} multiply-adds, ${costs.kept} bytes kept (planned ${percent(kept)})`,
    )
    const expected = published[id]
    const isEqual = counts.learn === expected?.parameters && costs.macs === expected.macs
    if (!isEqual) found.push(`${id}: expected ${expected?.parameters} and ${expected?.macs}`)
    // Attention in newer PyTorch keeps less than by hand.
    const most = costs.isFused && plan.nodes.some(({ op }) => op.endsWith('attention')) ? 1 : 0.01
    if (!(kept > -0.01 && kept < most))
      found.push(`${id}: planned ${plan.keptBytes} bytes, kept ${costs.kept}`)
  }
  console.log(`${exampleIds.length} networks in full size: ${secondsSince(start)} s`)
  return found
}

async function many(times: number, run: (k: number) => Promise<void>) {
  for (let from = 0; from < times; from += together) {
    const size = Math.min(together, times - from)
    await Promise.all(Array.from({ length: size }, (_, k) => run(from + k)))
  }
}

function percent(part: number): string {
  return `${part < 0 ? '' : '+'}${(100 * part).toFixed(2)} %`
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1)
}
