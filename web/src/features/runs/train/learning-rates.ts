import type { Hyper } from '@neuroloom/contract/suggest/hyper'

/** What the drawn preview depends on. */
export type Schedule = Pick<Hyper, 'learningRate' | 'scheduler' | 'decayInterval' | 'decayRatio' | 'epochs'>

/**
 * The learning rate of every epoch as planned, for the preview. `plateau` lowers it only when training stands still,
 * so its line is what would happen if it stood still all the time.
 */
export function learningRates(schedule: Schedule): number[] {
  return Array.from({ length: Math.max(0, Math.floor(schedule.epochs)) }, (_, epoch) =>
    rateAt(schedule, epoch),
  )
}

/** The engine's own formulas (optim.py) at the beginning of each epoch. */
function rateAt(schedule: Schedule, epoch: number): number {
  const { learningRate, decayInterval, decayRatio, epochs } = schedule
  const share = epoch / Math.max(1, epochs)
  switch (schedule.scheduler) {
    case 'constant':
      return learningRate
    case 'step':
    case 'plateau':
      return learningRate * decayRatio ** Math.floor(epoch / Math.max(1, decayInterval))
    case 'exponential':
      return learningRate * decayRatio ** epoch
    case 'cosine':
      return learningRate * halfCosine(share)
    case 'onecycle':
      return learningRate * oneCycle(share)
  }
}

/** Up from a 25th in the first quarter, then down to a thousandth. */
function oneCycle(share: number): number {
  const [warmUp, start, end] = [0.25, 1 / 25, 1e-3]
  if (share < warmUp) return start + (1 - start) * (1 - halfCosine(share / warmUp))
  return end + (1 - end) * halfCosine((share - warmUp) / (1 - warmUp))
}

/** 1 at 0, 0 at 1. */
const halfCosine = (share: number): number => (1 + Math.cos(Math.PI * Math.min(1, share))) / 2
