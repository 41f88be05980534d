/** Which component was taken for which axis, with what sign. Without zod: pages carry it. */
import type { FlowTurn } from './run.ts'

/** As the files told it. */
export const recorded: FlowTurn = { order: [0, 1, 2], signs: [1, 1, 1] }

export const isSameTurn = (one: FlowTurn, other: FlowTurn): boolean =>
  one.order.join() === other.order.join() && one.signs.join() === other.signs.join()
