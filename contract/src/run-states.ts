/** The states of a run, apart from the schemas, so that pages need not load those. */

/**
 * queued → running → done | stopped | failed; running → queued when a worker was lost; queued or running → paused by a
 * member's wish, and paused → queued by another.
 */
export const runStates = ['queued', 'running', 'paused', 'done', 'stopped', 'failed'] as const
export type RunState = (typeof runStates)[number]

/** Not ended: such a run keeps its data, its place among the models, and what it has learned so far. */
export const openStates = ['queued', 'running', 'paused'] as const satisfies readonly RunState[]

/** Whether a run has not ended. */
export const isOpen = ({ state }: { state: RunState }): boolean => openStates.some((open) => open === state)
